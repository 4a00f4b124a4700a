"""The traffic explorer: requests and responses, and what is behind them."""
