! conformance: program-structure/spectral_elements
! features: fixed form, INCLUDE with a common block in a kernel, shared memory
! spec: guide 2.11.2
! needs: none
! expect: pass
! files: ax.f main.f
      program nek
      use cudafor
      use axm
      include 'SIZE'
      parameter (nt=lx1*ly1*lz1*lelt)
      real w(nt), u(lx1,ly1,lz1,lelt), g(lx1,ly1,lz1,6,lelt), d(lx1,lx1)
      real w2(lx1,ly1,lz1,lelt), ur(lx1,ly1,lz1), us(lx1,ly1,lz1)
      real ut(lx1,ly1,lz1)
      real, device, allocatable :: wd(:),ud(:),urd(:)
      real, device, allocatable :: usd(:),utd(:),gd(:)
      real, device :: dd(lx1,lx1), dtd(lx1,lx1)
      integer e
      nelv = lelt
      allocate(wd(nt),ud(nt),urd(nt),usd(nt),utd(nt),gd(nt*6))
      call random_number(u)
      call random_number(g)
      call random_number(d)
      istat = cudaMemcpy(ud,u,nt)
      istat = cudaMemcpy(gd,g,nt*6)
      dd = d
      dtd = transpose(d)
      call ax_cuf2<<<nelv,dim3(lx1,ly1,lz1)>>>(wd,ud,urd,usd,utd,gd,
     $     dd,dtd)
      w = wd
      do e=1,lelt
        do k=1,lz1
        do j=1,ly1
        do i=1,lx1
          r=sum(d(i,:)*u(:,j,k,e))
          s=sum(d(j,:)*u(i,:,k,e))
          t=sum(d(k,:)*u(i,j,:,e))
          ur(i,j,k)=g(i,j,k,1,e)*r+g(i,j,k,2,e)*s+g(i,j,k,3,e)*t
          us(i,j,k)=g(i,j,k,2,e)*r+g(i,j,k,4,e)*s
          ut(i,j,k)=g(i,j,k,3,e)*t
        enddo
        enddo
        enddo
        do 10 k=1,lz1
        do 10 j=1,ly1
        do 10 i=1,lx1
          w2(i,j,k,e)=sum(d(:,i)*ur(:,j,k))+sum(d(:,j)*us(i,:,k))
     &       +sum(d(:,k)*ut(i,j,:))
   10   continue
      enddo
      err = maxval(abs(reshape(w2,[nt])-w))
      if (err.lt.1e-4) print '(a)', 'PASS spectral_elements'
      if (err.ge.1e-4) print *,'FAIL spectral_elements',err
      if (err.ge.1e-4) stop 1
      end
