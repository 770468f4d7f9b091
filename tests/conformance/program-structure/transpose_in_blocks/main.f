! conformance: program-structure/transpose_in_blocks
! features: labelled CUF loops, INCLUDE, automatic device arrays, implicit types
! spec: guide 2.11.2
! needs: none
! expect: pass
! files: ztrans.f main.f
      PROGRAM P02
      use cudafor
      IMPLICIT REAL*8 (A-H,O-Z)
      PARAMETER (NX=10, NY=7, NS=2)
      COMPLEX*16 A(NX,NY),B(NY,NX),AM(NS,NX,NY),BM(NS,NY,NX)
      complex(8),device,allocatable :: A_d(:,:),B_d(:,:)
      complex(8),device,allocatable :: AM_d(:),BM_d(:)
      interface
        subroutine ztrans(a_d,b_d,nx,ny)
        integer nx,ny
        complex(8),device :: a_d(nx,*),b_d(ny,*)
        end subroutine
        subroutine mztrans(a_d,b_d,ns,nx,ny)
        integer ns,nx,ny
        complex(8),device :: a_d(ns,nx,*),b_d(ns,ny,*)
        end subroutine
      end interface
      allocate(A_d(NX,NY),B_d(NY,NX),AM_d(NS*NX*NY),BM_d(NS*NX*NY))
      DO 20 J=1,NY
      DO 20 I=1,NX
        A(I,J)=DCMPLX(DFLOAT(I),DFLOAT(J))
        DO 20 K=1,NS
   20   AM(K,I,J)=DCMPLX(DFLOAT(I*100+J),DFLOAT(K))
      A_d=A
      istat=cudaMemcpy(AM_d,AM,NS*NX*NY)
      CALL ZTRANS(A_d,B_d,NX,NY)
      CALL MZTRANS(AM_d,BM_d,NS,NX,NY)
      B=B_d
      istat=cudaMemcpy(BM,BM_d,NS*NX*NY)
      NBAD=0
      DO 30 J=1,NY
      DO 30 I=1,NX
        IF (B(J,I).NE.A(I,J)) NBAD=NBAD+1
        DO 30 K=1,NS
        IF (BM(K,J,I).NE.AM(K,I,J)) NBAD=NBAD+1
   30 CONTINUE
      IF (NBAD.EQ.0) print '(a)', 'PASS transpose_in_blocks'
      IF (NBAD.NE.0) print *,'FAIL transpose_in_blocks',NBAD
      if (nbad.ne.0) stop 1
      END
