"""
In a scikit-learn pipeline
==========================

A model is trained on microaggregated records: how much does the protection cost it? `Microaggregator` is a transformer like any other, but
for `transform`: a record that was not there when the groups were made has no group to hide in.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_regression
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from covey.sklearn import Microaggregator

X, y = make_regression(n_samples=1500, n_features=4, noise=40.0, random_state=0)
train, test, y_train, y_test = train_test_split(X, y, random_state=0)
scaler = StandardScaler().fit(train)

# %%
# The test records stay as they are: the question is what an analyst can learn from the released ones.
ks = [1, 2, 5, 10, 20, 50, 100]
scores = []
for k in ks:
    released = Microaggregator(k=k).fit_transform(scaler.transform(train))
    scores.append(LinearRegression().fit(released, y_train).score(scaler.transform(test), y_test))

# %%
# Means of groups keep linear relations well; what falls first is the variation inside groups.
plt.figure(figsize=(6.4, 3.2), layout="constrained")
plt.semilogx(ks, scores, color="#0072b2", marker="o")
plt.xticks(ks, [str(k) for k in ks])
plt.xlabel("k of the training records (1: as they were)")
plt.ylabel("R² on records as they are")
plt.ylim(0, 1)
plt.show()

# %%
# As a step of a pipeline it is only ever fitted.
estimator = Microaggregator(k=5, method="search", seed=1, options={"effort": 500})
print(estimator.fit(scaler.transform(train)).partition_, f"loss {estimator.loss_:.0f}")
assert np.bincount(estimator.labels_).min() >= 5
