"""Ops of neural networks: activations, convolutions, pools, losses and recurrent gates."""
