"""PRESEMT D3.1.3 (2012), section 4: encoding detection."""
