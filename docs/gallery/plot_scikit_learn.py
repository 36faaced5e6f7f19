"""
In a scikit-learn pipeline
==========================

A model is trained on microaggregated records: how much does the protection cost it? `Microaggregator` is a step of a pipeline: the model is fitted
on the values of groups of at least k records, and predicts for records as they are, by the values of the nearest group, or as they are.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from covey.sklearn import Microaggregator

X, y = make_friedman1(n_samples=1500, n_features=5, noise=0.5, random_state=0)
train, test, y_train, y_test = train_test_split(X, y, random_state=0)
scaler = StandardScaler().fit(train)

# %%
# The test records stay as they are: the question is what an analyst can learn from the released ones.
ks = [1, 2, 5, 10, 20, 50, 100]
models = {"linear": LinearRegression(), "nearest neighbours": KNeighborsRegressor(5)}
scores: dict[str, list[float]] = {name: [] for name in models}
for k in ks:
    for name, model in models.items():
        pipeline = make_pipeline(StandardScaler(), Microaggregator(k=k), model).fit(train, y_train)
        as_they_are = pipeline[0].transform(test)  # the scaler alone: what an analyst has of a new record
        scores[name].append(pipeline[-1].score(as_they_are, y_test))

# %%
# Means of groups keep linear relations well. A model that looks at single neighbours loses more: the variation inside groups is gone.
plt.figure(figsize=(6.4, 3.2), layout="constrained")
for (name, values), colour in zip(scores.items(), ("#0072b2", "#d55e00"), strict=True):
    plt.semilogx(ks, values, color=colour, marker="o", label=name)
plt.legend(frameon=False)
plt.xticks(ks, [str(k) for k in ks])
plt.xlabel("k of the training records (1: as they were)")
plt.ylabel("R² on records as they are")
plt.ylim(0, 1)
plt.show()

# %%
# The pipeline as a whole predicts by the nearest group. What `transform` returns is not k-anonymous, and is not to be published.
pipeline = make_pipeline(StandardScaler(), Microaggregator(k=5), LinearRegression()).fit(train, y_train)
print(f"R2 by the nearest group {pipeline.score(test, y_test):.2f}, as they are {scores['linear'][ks.index(5)]:.2f}")

# %%
# What was published is of groups of at least k.
estimator = Microaggregator(k=5, method="search", seed=1, options={"effort": 500})
print(estimator.fit(scaler.transform(train)).partition_, f"loss {estimator.loss_:.0f}")
assert np.bincount(estimator.labels_).min() >= 5
