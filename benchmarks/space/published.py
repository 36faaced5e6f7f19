"""What runs in space are held against: targets of the loss, values of the literature, and sdcMicro's times."""

from __future__ import annotations

# Targets of the loss in percent, k = 3, 5, 10.
AUTO = {"tarragona": (15.1, 20.9, 30.9), "census": (5.25, 8.15, 12.5), "eia": (0.372, 0.785, 2.03)}
SEARCH = {"tarragona": (14.60, 20.20, 30.20), "census": (4.73, 7.32, 11.47), "eia": (0.351, 0.732, 1.957)}
LONG = {"tarragona": (14.55, 20.20, 30.17), "census": (4.71, 7.28, 11.39), "eia": (0.3497, 0.7315, 1.938)}

# Mortazavi 2020, table 2 (k = 3, 5, 10) and the iterations of table 3.
PUBLISHED = {
    "mdav": {"tarragona": (16.93, 22.46, 33.19), "census": (5.69, 9.09, 14.16), "eia": (0.48, 1.67, 3.84)},
    "mdav-mhm": {"tarragona": (16.93, 22.46, 33.19), "census": (5.65, 9.09, 14.22), "eia": (0.41, 1.26, 3.77)},
    "decompose": {"tarragona": (15.60, 21.31, 32.87), "census": (5.33, 8.37, 12.65), "eia": (0.39, 0.76, 2.02)},
    "repeated-ordering": {
        "tarragona": (14.80, 21.13, 31.13),
        "census": (5.01, 7.94, 12.74),
        "eia": (0.369, 0.75, 1.99),
    },
}
ITERATIONS = {"tarragona": (12.63, 13.78, 14.94), "census": (11.84, 12.52, 12.64), "eia": (8.22, 9.06, 9.61)}
MILLISECONDS = {"tarragona": (2.14, 1.67, 1.67), "census": (3.08, 2.64, 2.26), "eia": (31.22, 20.32, 13.48)}

# sdcMicro 5.8.1's MDAV, d = 10, k = 5, Gaussian, on a machine where np.sort of 1e6 doubles takes 54 ms.
SDCMICRO = {10_000: 0.37, 20_000: 1.5, 50_000: 11.0, 100_000: 53.0}
SDCMICRO_SORT_MS = 54.0
