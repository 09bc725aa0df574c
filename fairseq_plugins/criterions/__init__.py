"""What training minimises, where fairseq has no criterion for it; the file stem is the `--criterion`."""
