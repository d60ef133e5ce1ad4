"""The words generated code speaks (`ag__.*`)."""
