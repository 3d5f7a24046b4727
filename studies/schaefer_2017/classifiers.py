"""The classifiers of Schäfer 2016, table 5, as scikit-learn has them; boosted trees of LightGBM beside them.

The paper trained its perceptron with FANN, and the other classifiers with Weka's default parameters. Libraries are
imported when a classifier is made: they take a second to load, and only these measurements need them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Block rows of a kernel matrix that are computed at a time.
_ROWS = 2000


def perceptron(features: int) -> Any:
    """Returns a multilayer perceptron with one hidden layer of half as many units as features (3.1).

    The paper's has Gaussian units and was trained with RPROP; scikit-learn has neither. This one has hyperbolic
    tangents and is trained with L-BFGS, which gives the same weights every time.
    """
    from sklearn.neural_network import MLPClassifier

    hidden = max(1, features // 2)
    return MLPClassifier((hidden,), activation="tanh", solver="lbfgs", alpha=1e-2, max_iter=300, random_state=0)


def _scaled(classifier: Any) -> Any:
    """Returns the classifier behind a step that gives each feature mean 0 and variance 1."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), classifier.set_params(random_state=0))


def _between_0_and_1(*steps: Any) -> Any:
    """Returns the steps behind one that maps each feature to 0 to 1, as Weka does for its support vector machines."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    return make_pipeline(MinMaxScaler(clip=True), *steps)


def _logistic_regression(_features: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return _scaled(LogisticRegression(C=1e8, max_iter=2000))  # Weka's ridge is 1e-8


def _nearest_neighbour(_features: int) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return _between_0_and_1(KNeighborsClassifier(n_neighbors=1, algorithm="brute"))


def _tree(_features: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    # C4.5 prunes by an upper bound of the error; scikit-learn prunes by cost and complexity.
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, ccp_alpha=5e-4, random_state=0)


def _random_forest(_features: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=100, random_state=0)


def _naive_bayes(_features: int) -> Any:
    from studies.schaefer_2017.naive_bayes import RoundedNaiveBayes

    return RoundedNaiveBayes()


def _linear(_features: int) -> Any:
    from sklearn.svm import SVC

    return _between_0_and_1(SVC(kernel="linear", C=1))  # Weka's polynomial kernel has exponent 1


def _normalised_polynomial(_features: int) -> Any:
    from sklearn.preprocessing import Normalizer
    from sklearn.svm import SVC

    # <x, y>^2 / sqrt(<x, x>^2 <y, y>^2) is the square of the product of the vectors divided by their lengths.
    return _between_0_and_1(Normalizer(), SVC(kernel="poly", degree=2, coef0=0, gamma=1, C=1))


def _pearson(_features: int) -> Any:
    from sklearn.svm import SVC

    return _between_0_and_1(SVC(kernel=pearson_kernel, C=1))


def _radial(_features: int) -> Any:
    from sklearn.svm import SVC

    return _between_0_and_1(SVC(kernel="rbf", gamma=0.01, C=1))


def _boosted_trees(_features: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_jobs=1, random_state=0, deterministic=True, force_row_wise=True, verbose=-1)


def pearson_kernel(left: Array, right: Array) -> Array:
    """Returns the universal kernel of Üstün, Melssen and Buydens (2006) with sigma and omega 1: 1 / (1 + 4 d^2).

    Args:
        left: shape (n, features).
        right: shape (m, features).

    Returns:
        Shape (n, m).
    """
    lengths = np.einsum("ij,ij->i", right, right)
    values = np.empty((len(left), len(right)))
    for start in range(0, len(left), _ROWS):
        part = left[start : start + _ROWS]
        squares = np.einsum("ij,ij->i", part, part)[:, None] + lengths - 2 * (part @ right.T)
        values[start : start + _ROWS] = 1 / (1 + 4 * np.maximum(squares, 0))
    return values


#: Name in table 5 -> what makes the classifier, given the number of features.
CLASSIFIERS: Mapping[str, Callable[[int], Any]] = {
    "MLP": perceptron,
    "LR": _logistic_regression,
    "IBk": _nearest_neighbour,
    "J48": _tree,
    "RF": _random_forest,
    "NB": _naive_bayes,
    "SVM/NP": _normalised_polynomial,
    "SVM/P": _linear,
    "SVM/PUK": _pearson,
    "SVM/RBF": _radial,
    "LightGBM": _boosted_trees,
}

#: Name -> what it is here, for the notes of table 5.
MEANINGS: Mapping[str, str] = {
    "MLP": "multilayer perceptron, 18 hidden units",
    "LR": "logistic regression",
    "IBk": "nearest neighbour",
    "J48": "decision tree by entropy, pruned",
    "RF": "random forest of 100 trees",
    "NB": "naive Bayes with normal distributions of rounded values",
    "SVM/NP": "support vector machine, normalised polynomial kernel of degree 2",
    "SVM/P": "support vector machine, linear kernel",
    "SVM/PUK": "support vector machine, Pearson VII kernel",
    "SVM/RBF": "support vector machine, radial kernel with gamma 0.01",
    "LightGBM": "boosted trees, not in the paper",
}


def file_name(classifier: str) -> str:
    """Returns a classifier's name as part of a file's name: `SVM/NP` becomes `svm-np`."""
    return classifier.lower().replace("/", "-")
