"""What the pipeline's bookkeeping costs as a study grows, measured on one whose stages do nothing."""
