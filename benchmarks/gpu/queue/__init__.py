"""What to train first when minutes on a GPU are lent: a list, and a command that does its next item and goes on."""
