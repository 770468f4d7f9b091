{%- match kind -%}
{%- when Kind::Address { variable, managed } -%}
void* {@ symbol @}(void) { return CUF_{% if *managed %}MANAGED_{% endif %}ADDRESS_OF({@ variable @}); }
{%- when Kind::Kernel { function, cluster, kernel, args, strides, few, present } -%}
void {@ symbol @}(const cuf::launch_config* at{% for p in params %}, {@ p @}{% endfor %})
{
{%- if recursive %}
    cuf::recursion_stack(*at);
{%- endif %}
{%- for s in strides %}
    cuf::check_stride(*at, {@ s @});
{%- endfor %}
{%- for p in present %}
    {@ p @}
{%- endfor %}
{%- if !few.is_empty() %}
    const bool few = {@ few @};
{%- endif %}
    cuf::{@ function @}(*at, {% if !cluster.is_empty() %}{{@ cluster @}}, {% endif %}{@ kernel @}{% for a in args %}, {@ a @}{% endfor %});
}
{%- when Kind::Loop { kernel, is_construct, by_block, present, place, depth, bounds, reductions, args } -%}
void {@ symbol @}(const cuf::launch_config* at{% for p in params %}, {@ p @}{% endfor %})
{
{%- if recursive %}
    cuf::recursion_stack(*at);
{%- endif %}
    cuf::loop_space<{@ depth @}> space({{@ bounds @}});
    if (space.empty()) return;
    const cuf::launch_config config = cuf::{% if *by_block %}block_{% endif %}loop_launch(*at, space, {@ kernel @}{% if !reductions.is_empty() %}, cuf::reduction_blocks{% endif %});
{%- for p in present %}
    {@ p @}
{%- endfor %}
{%- for r in reductions %}
    cuf::reduction<{@ r.ty @}, cuf::{@ r.op @}> {@ r.name @}(config, {@ r.target @});
{%- endfor %}
    cuf::launch_loop({@ place @}, config, {@ kernel @}, space{% for a in args %}, {@ a @}{% endfor %});
{%- for r in reductions %}
    {@ r.name @}.finish({@ place @});
{%- endfor %}
{%- if *is_construct && reductions.is_empty() %}
    cuf::finish_construct({@ place @}, config);
{%- endif %}
}
{%- when Kind::Operation { call, args } -%}
{@ result @} {@ symbol @}(const cuf::launch_config* at{% for p in params %}, {@ p @}{% endfor %})
{
    {@ call @}({% for a in args %}{% if !loop.first %}, {% endif %}{@ a @}{% endfor %});
}
{%- endmatch -%}
