//! Links: objects to programs and shared libraries.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Builder, Invocation, Job, Language, Unit, libraries};

impl Builder<'_> {
    /// The objects of these units, for a link.
    pub(super) fn parts(&self, units: &[(usize, &Unit)], jobs: &[Job]) -> Parts {
        let device = |u: &Unit| {
            self.relocatable
                && !u.runtime
                && matches!(u.language, Language::Device | Language::Cuda)
        };
        let product = |job: usize| jobs[job].product.clone();
        Parts {
            after: units.iter().map(|&(job, _)| job).collect(),
            device: (units.iter().filter(|(_, u)| device(u)))
                .map(|&(job, _)| product(job))
                .collect(),
            inputs: (units.iter())
                .map(|&(job, _)| product(job).into_os_string())
                .collect(),
            files: Vec::new(),
        }
    }

    /// Adds the jobs that link one program; returns its path.
    pub(super) fn link(
        &self,
        name: &str,
        units: &[(usize, &Unit)],
        jobs: &mut Vec<Job>,
    ) -> PathBuf {
        let mut parts = self.parts(units, jobs);
        parts.inputs.extend(self.own_libraries(Path::to_path_buf));
        let program = self.project.build.join(name);
        parts.files = (self.options.library_folders.iter())
            .flat_map(|f| {
                let names = self.options.libraries.iter();
                names.flat_map(|l| [f.join(format!("lib{l}.a")), f.join(format!("lib{l}.so"))])
            })
            .filter(|p| p.is_file())
            .collect();
        self.link_parts(&program, parts, jobs);
        program
    }

    /// Adds the job that links the relocatable device code of `parts`, if there is some; its object comes before the others.
    pub(super) fn link_device(&self, product: &Path, parts: &mut Parts, jobs: &mut Vec<Job>) {
        if let Some(cuda) = &self.toolchain.cuda
            && !parts.device.is_empty()
        {
            let linked = linked_device(product);
            let mut command = self.nvcc(cuda, false);
            command.arg("-dlink").args(&parts.device);
            // Launches by device code need the device runtime.
            command
                .arg("-L")
                .arg(&cuda.library_folder)
                .arg("-lcudadevrt");
            command.arg("-o").arg(&linked);
            parts.inputs.insert(0, linked.clone().into());
            jobs.push(Job {
                product: linked,
                command,
                inputs: Vec::new(),
                also: 0,
                lists: None,
                after: parts.after.clone(),
            });
            parts.after.push(jobs.len() - 1);
        }
    }

    /// Adds the jobs that link `product`.
    pub(super) fn link_parts(&self, product: &Path, mut parts: Parts, jobs: &mut Vec<Job>) {
        self.link_device(product, &mut parts, jobs);
        let mut command = Invocation::of(&self.toolchain.fortran);
        if self.options.openmp {
            command.arg("-fopenmp");
        }
        if self.options.carried_libraries {
            command.args(["-Wl,-s", "-Wl,-rpath,$ORIGIN/../lib"]);
        }
        let always = self.options.always.iter();
        command.args(always.map(|symbol| format!("-Wl,--defsym={symbol}=1")));
        // Options such as -fsanitize and -static-libgfortran act when linking.
        command.args(&self.options.fflags);
        command.args(&parts.inputs);
        self.add_libraries(&mut command);
        command.arg("-o").arg(product);
        self.toolchain.family.translate(&mut command.arguments);
        jobs.push(Job {
            product: product.to_path_buf(),
            command,
            inputs: parts.files,
            also: 0,
            lists: None,
            after: parts.after,
        });
    }

    /// Adds the jobs that make the archive of the runtime from its objects; returns the last. Those of C++ are one member: what one of them
    /// sets up when a program starts has to be there with all others.
    pub(super) fn runtime_archive(&self, objects: &[(&Unit, usize)], jobs: &mut Vec<Job>) -> usize {
        let memory = self.project.plan.dialect.memory.name();
        let product = |jobs: &[Job], job: usize| jobs[job].product.clone();
        let (fortran, others): (Vec<_>, Vec<_>) = objects
            .iter()
            .partition(|(unit, _)| unit.language == Language::Fortran);
        let whole = self.runtime.join(format!("obj/{memory}.o"));
        let mut command = Invocation::of(&self.toolchain.cc);
        command.args(["-r", "-nostdlib"]);
        command.args(others.iter().map(|&&(_, job)| product(jobs, job)));
        command.arg("-o").arg(&whole);
        jobs.push(Job {
            product: whole.clone(),
            command,
            inputs: Vec::new(),
            also: 0,
            lists: None,
            after: others.iter().map(|&&(_, job)| job).collect(),
        });
        let merged = jobs.len() - 1;
        let archive = self.runtime.join(format!("libcuf_runtime_{memory}.a"));
        let mut command = Invocation::new(&self.toolchain.archiver());
        command.arg("rcsD").arg(&archive).arg(&whole);
        command.args(fortran.iter().map(|&&(_, job)| product(jobs, job)));
        let after = fortran.iter().map(|&&(_, job)| job).chain([merged]);
        jobs.push(Job {
            product: archive,
            command,
            inputs: Vec::new(),
            also: 0,
            lists: None,
            after: after.collect(),
        });
        jobs.len() - 1
    }

    /// The options for the user's own libraries, with their folders as `named`.
    pub(super) fn own_libraries(&self, named: impl Fn(&Path) -> PathBuf) -> Vec<OsString> {
        let folders = self.options.library_folders.iter();
        let folders = folders.flat_map(|f| ["-L".into(), named(f).into_os_string()]);
        let own = self.options.libraries.iter();
        let own = own.filter(|l| !libraries::is_of_toolkit(l));
        folders
            .chain(own.map(|l| format!("-l{l}").into()))
            .collect()
    }

    /// What objects of a program are linked with: the libraries of CUDA and of the system.
    pub(super) fn add_libraries(&self, command: &mut Invocation) {
        command.args(&self.libraries);
        if let Some(cuda) = &self.toolchain.cuda {
            command.arg("-L").arg(&cuda.library_folder);
            if self.project.plan.own_cuda() {
                // The runtime learns the names of device variables of the user's CUDA C++ (cudaMemcpyToSymbol).
                command.arg("-Wl,--wrap=__cudaRegisterVar");
            }
            if self.relocatable {
                command.arg("-lcudadevrt");
            }
            match cuda
                .shared_runtime()
                .filter(|_| self.options.carried_libraries)
            {
                Some(library) => command.arg(library),
                None => command.arg("-lcudart_static"),
            };
        }
        let static_runtime = self
            .options
            .fflags
            .iter()
            .any(|f| f == "-static-libgfortran");
        let standard = if static_runtime {
            &["-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic"][..]
        } else {
            &["-lstdc++"][..]
        };
        command.args(standard).args(["-ldl", "-lrt", "-lpthread"]);
    }
}

/// The object of the linked device code of `product`.
pub fn linked_device(product: &Path) -> PathBuf {
    let mut linked = product.as_os_str().to_owned();
    linked.push(".dlink.o");
    linked.into()
}

/// What a link is made of.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Jobs that must be done before.
    pub(super) after: Vec<usize>,
    /// Files with relocatable device code.
    pub(super) device: Vec<PathBuf>,
    /// Objects, and what else the linker is told, in this order.
    pub(super) inputs: Vec<OsString>,
    /// Libraries of the user among them, as files.
    pub(super) files: Vec<PathBuf>,
}
