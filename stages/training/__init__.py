"""What the train stage adds to fairseq's own training: dev BLEU, exact resumption, a learning curve."""
