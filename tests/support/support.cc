#include "support/result_matchers.h"
