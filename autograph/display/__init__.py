"""The HTML forms of Functions, explanations, profiles and checks, in notebooks and pages."""
