# Compares the macros of a build with those that {@ title @} was translated for.
# Reads what the preprocessor defines with the macros of the translation, a line with =, and what it defines in this build.
# Prints the choices for the compilers of device code, or what is wrong.
BEGIN {
  # Both choices of these are right: whether they are defined, whether their value is true, or exactly with this value and without.
  # No file differs by those that are neutral.
{%- for c in choices %}
  both["{@ c.name @}"] = "{@ c.kind @}"
  value["{@ c.name @}"] = "{@ c.value @}"
{%- if !c.in_device_code %}
  neutral["{@ c.name @}"] = 1
{%- endif %}
{%- endfor %}
  # All these numbers are right; without the macro it is the first.
{%- for n in numbers %}
  number["{@ n.name @}"] = "{@ n.value @}"
  numbers["{@ n.name @}"] = "{% for value in n.all() %} {@ value @}{% endfor %} "
{%- if !n.in_device_code %}
  neutral["{@ n.name @}"] = 1
{%- endif %}
{%- endfor %}
  # Where the sources ask for macros.
{%- for a in asked %}
  asked["{@ a.0 @}"] = "{@ a.1 @}"
{%- endfor %}
  # What Fortran does not name.
{%- for name in others %}
  other["{@ name @}"] = 1
{%- endfor %}
  # The macro of the program's CUDA Fortran: host code has what is compiled without it, too.
  guard = "{@ guard @}"
}
$0 == "=" { now = 1; next }
$1 == "#define" {
  name = $2
  sub(/\(.*/, "", name)
  text = $0
  sub(/^#define +[A-Za-z0-9_$]+ ?/, "", text)
  sub(/ +$/, "", text)
  if (now) given[name] = text; else was[name] = text
  some[now + 0] = 1
}
# Options for other things define these.
function is_of_options(name) {
  return !(name in asked) && (name ~ /^__/ || name == "_OPENMP" || name == "_OPENACC" || name == "_REENTRANT")
}
function is_true(text) { return text ~ /^[0-9]+$/ && text !~ /^0+$/ }
function same(name) { return (name in was) == (name in given) && was[name] == given[name] }
function refuse(name, text) {
  wrong++
  if (first == "" || name < first) { first = name; message = text }
}
# A number is shown beside other numbers: -DN would say less.
function with(name, text) {
  return text == "1" && !(name in numbers) && (!(name in was) || was[name] == "1") ? name : name "=" text
}
function check(name) {
  if (name in checked) return
  checked[name] = 1
  if (name in asked && name ~ /^__flang/) refuse(name, "translated without " name ", but built with it")
  if (is_of_options(name) || (name in other) || (name == guard && !(name in given)) || same(name)) return
  if (name in numbers) {
    if (name in given ? index(numbers[name], " " given[name] " ") : !(name in was)) return
    if (name in given) {
      all = numbers[name]
      gsub(/^ | $/, "", all)
      gsub(/ /, ", ", all)
      refuse(name, "translated for " name "=" all ", but built with " with(name, given[name]))
      return
    }
  }
  if (name in both) {
    if (!(name in given) || both[name] == "defined" || given[name] == value[name]) return
    if (both[name] == "value" && given[name] ~ /^[0-9]+$/) return
    refuse(name, "translated with " with(name, value[name]) " and without " name ", but built with " name "=" given[name])
  } else if (!(name in given)) {
    refuse(name, "translated with " with(name, was[name]) ", but built without " name)
  } else if (!(name in was)) {
    refuse(name, "translated without " name ", but built with " with(name, given[name]))
  } else {
    refuse(name, "translated with " with(name, was[name]) ", but built with " with(name, given[name]))
  }
}
# An option as a shell reads it.
function quoted(text) {
  if (text !~ /[^A-Za-z0-9_=.,+:-]/) return text
  gsub(/\047/, "\047\\\\\047\047", text)
  return "\047" text "\047"
}
# The macros of this build that the user gives, as options.
function macros(  n, all, name, i, j, names) {
  for (name in given) {
    if (is_of_options(name) || !(name in asked) && same(name)) continue
    for (i = ++n; i > 1 && names[i - 1] > name; i--) names[i] = names[i - 1]
    names[i] = name
  }
  for (j = 1; j <= n; j++) all = all " " quoted("-D" with(names[j], given[names[j]]))
  return all
}
END {
  # The compiler will say why it does not take the options of this build.
  if (some[0] && !some[1]) exit
  if (!some[0]) {
    print "cuf2cu: the Fortran compiler does not print the macros that it defines (-cpp -E -dM)"
    exit
  }
  for (name in was) check(name)
  for (name in given) check(name)
  if (wrong) {
    where = first in asked ? " (" asked[first] " asks for it)" : ""
    more = wrong < 2 ? "" : wrong == 2 ? "; 1 other macro differs" : "; " (wrong - 1) " other macros differ"
    remedy = first == "_OPENMP" && (first in given) ? "cuf2cu --openmp" : "these macros (cuf2cu SRC... OUT" macros() ")"
    print "cuf2cu: " message where more ": translate again with " remedy
    exit
  }
  for (name in both) {
    chosen = name in given && (both[name] != "value" || is_true(given[name]))
    if (!(name in neutral)) print "-DCUF_WITH_" name "=" (chosen ? 1 : 0)
  }
  for (name in numbers) {
    if (!(name in neutral)) print "-DCUF_WITH_" name "=" (name in given ? given[name] : number[name])
  }
}
