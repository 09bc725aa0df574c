"""What a user could take instead: recurrent translation with additive attention in other toolkits, each as it comes."""
