"""The pair network: it asks of every pair of remaining answers whether a guess tells them apart."""
