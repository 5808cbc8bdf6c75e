# The page uses only plain lines of uPlot: without the rest, the bundle is a quarter smaller.
# Each line must change something, or the build fails: after an update of uPlot, look at those that do not.
# Its exports: other paths, joins and dates; one value that the page reads is added.
/^uPlot.assign = /,/^export/{/^export/!d}
s/^export/uPlot.pxRatio = pxRatio;\n&/
# Its legend.
/const showLegend = /d
s/\<showLegend\>/false/g
# Its axes of dates.
/let isTime = /d
s/\<isTime\>/false/g
/^\tconst _\(tzDate\|fmtDate\|time[A-Z][A-Za-z]*\) *=.*;$/d
/= genTimeStuffs(/d
/^const localTz = /d
# Its format of numbers, which takes 10 ms to make.
s/^const numFormatter = .*/const numFormatter = { format: String };/
# Its other modes and scales.
s/\<mode == 2/false/g
s/\<mode == 1/true/g
s/\<\([A-Za-z]*\.\)\?distr *== *2/false/g
s/\<\([A-Za-z]*\.\)\?distr *== *3/false/g
s/\<\([A-Za-z]*\.\)\?distr *== *4/false/g
s/\<\([A-Za-z]*\.\)\?distr *== *100/false/g
s/\<\([A-Za-z]*\.\)\?distr *>= 3/false/g
