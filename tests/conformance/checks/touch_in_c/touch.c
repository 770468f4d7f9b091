/* Takes the address for one of the host. */
void set_second(float* x)
{
    x[1] = 3;
}
