#include "cuf/array.hpp"
#include "cuf/logical.hpp"
#include "cuf/intrinsics.hpp"
__global__ void k(const float* __restrict__ p, float* __restrict__ q, int n, int m, cuf::complex<double>* c, cuf::descriptor d){
 cuf::array<const float,2> a(p,n,m); cuf::array<float,2> b(q,cuf::range{0,n-1},m);
 __shared__ cuf::fixed_array<float,33,cuf::range{0,17}> t;
 int i=threadIdx.x+1,j=threadIdx.y+1;
 t(i,j)=a(i,j); __syncthreads();
 b(i-1,j)=t(j,i)+cuf::pow(a(i,j),3)+cuf::mod(i,j)+cuf::ishft(i,j)+cuf::nint(a(i,1));
 c[i]=cuf::sqrt(c[i])*cuf::pow(c[i],c[i])/cuf::exp(c[j])+cuf::log(c[j])+cuf::tanh(c[j])+cuf::sin(c[j])+2;
 cuf::view<cuf::complex<double>,2> v(d);
 auto s=cuf::section(v,cuf::all,3); s(1)=2.0; cuf::section(t,cuf::slice{1,5,2},cuf::all)(1,2)=cuf::max(1.0f,2.0f,b(i,j));
 b(1,1)=cuf::spacing(b(1,1))+cuf::exponent(b(1,1))+cuf::nearest(b(1,1),1.0f)+cuf::transfer<float>(i)+cuf::popcnt(int8_t(i))+cuf::leadz(i)+cuf::trailz(i)+cuf::erfc_scaled(b(1,2))+cuf::log_gamma(b(1,1));
}
