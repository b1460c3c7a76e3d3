"""Documents: open files and folders, as the client has them."""
