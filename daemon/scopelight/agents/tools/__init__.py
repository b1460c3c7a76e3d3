"""What each tool answers, one module for each."""
