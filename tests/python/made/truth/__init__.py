"""What results are held against: golden records, references said slowly, formats and figures of others."""
