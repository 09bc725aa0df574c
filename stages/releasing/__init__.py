"""Results of trained systems as small files in git, for reports on machines that have not trained them."""
