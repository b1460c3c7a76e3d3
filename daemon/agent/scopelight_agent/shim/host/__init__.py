"""Where the script's threads stand while it is traced: by line events, by samples, and what held them up."""
