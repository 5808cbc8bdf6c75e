# make wheel: the three programs and the Python module rtrack (docs/python.md), for pip.
WHEEL_DOC  = /usr/share/doc

# The tag says what a machine must have. Of the portable programs (portable.mk) that is the glibc that they need; of others
# nobody knows, beyond the machine's kind: a wheel for this distribution alone. What is linked into them has licences.
ifneq ($(wildcard packaging/portable.mk),)
WHEEL_PROGRAMS ?= $(PORTABLE)
endif
WHEEL_PROGRAMS ?= $(B)
ifeq ($(WHEEL_PROGRAMS),$(PORTABLE))
WHEEL_NEEDS    = portable
WHEEL_GLIBC    = $(shell packaging/glibc_needed $(WHEEL_PROGRAMS)/rtrack-* | sed -n 's/.* glibc //p' | sort -V | tail -n 1)
WHEEL_PLATFORM = manylinux_$(subst .,_,$(WHEEL_GLIBC))_$(ARCH)
WHEEL_LICENCES = README=packaging/licences.txt cJSON=$(CJSON_SRC)/LICENSE curl=$(CURL_SRC)/COPYING \
                 zlib=$(WHEEL_DOC)/zlib1g-dev/copyright OpenSSL=$(WHEEL_DOC)/libssl-dev/copyright \
                 SQLite=$(WHEEL_DOC)/libsqlite3-dev/copyright Expat=$(WHEEL_DOC)/libexpat1-dev/copyright \
                 Apache-2.0=/usr/share/common-licenses/Apache-2.0 \
                 uPlot=$(firstword $(wildcard vendor/uplot/LICENSE) $(UPLOT)/LICENSE)
else
WHEEL_NEEDS    = $(if $(filter $(B),$(WHEEL_PROGRAMS)),all)
WHEEL_PLATFORM = linux_$(ARCH)
endif
# No man pages: pip would leave the folders that it makes for them. Metaflow finds the card by its place.
WHEEL_CARD  = metaflow_extensions/rtrack/plugins/cards/rtrack_resources/__init__.py
WHEEL_FILES = $(foreach f,$(sort $(wildcard packaging/python/rtrack/*.py)),'rtrack/$(notdir $(f))=$(f)') \
              '$(WHEEL_CARD)=packaging/python/$(WHEEL_CARD)' \
              $(foreach p,rtrack-collect rtrack-report rtrack-fleet,'{data}/scripts/$(p)=$(WHEEL_PROGRAMS)/$(p)') \
              '{info}/LICENSE=LICENSE' $(foreach f,$(WHEEL_LICENCES),'{info}/licences/$(f)')

WHEEL_OUT  ?= build

wheel: $(WHEEL_NEEDS)
	@mkdir -p '$(WHEEL_OUT)'
	@rm -f '$(WHEEL_OUT)'/rtrack-[0-9]*-py3-none-*_$(ARCH).whl
	$QSOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) python3 packaging/python/make_wheel.py --version $(VERSION) \
	--platform $(WHEEL_PLATFORM) --readme docs/python.md --out '$(WHEEL_OUT)' $(WHEEL_FILES)
.PHONY: wheel
