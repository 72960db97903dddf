// Small repositories of many kinds, as people have them: the files, and what `init` should make of them.

export type Sample = {
  files: Record<string, string>;
  /** What project.yaml must say, key by key. */
  says: Record<string, unknown>;
  /** Commands that the first page must show, all of them and in this order. */
  commands: readonly string[];
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);

export const SAMPLES: Record<string, Sample> = {
  'a JavaScript library': {
    files: {
      'package.json': json({
        name: 'left-shelf',
        description: 'Puts things on the left: always',
        main: 'index.js',
        engines: { node: '>=18' },
        scripts: { test: 'node --test', lint: 'eslint .', prepare: 'husky' },
      }),
      'package-lock.json': '{}',
      'index.js': 'module.exports = 1;\n',
      'lib/index.js': '',
      'lib/shelf.js': '',
      'test/shelf.test.js': '',
      'README.md': '# Left shelf\n\n[![ci](https://ci/x.svg)](https://ci)\n\nAnother text.\n',
      'CONTRIBUTING.md': '# Contributing\n',
      '.gitignore': 'node_modules\n',
    },
    says: {
      project: { name: 'left-shelf', type: 'library', description: 'Puts things on the left: always' },
      tech: { stack: ['JavaScript'], runtime: 'Node.js >=18', packageManager: 'npm' },
      modules: {
        'left-shelf': {
          description: 'At the root of the repository.',
          keyFiles: [{ path: 'index.js', role: 'entry' }],
        },
        lib: { description: 'The folder lib.', keyFiles: [{ path: 'lib/index.js', role: 'entry' }] },
      },
      files: ['README.md', 'CONTRIBUTING.md'],
      guide: { root: 'content' },
    },
    commands: ['npm install', 'npm test', 'npm run lint'],
  },
  'a web application with folders of features': {
    files: {
      'package.json': json({
        private: true,
        name: '@acme/shop',
        packageManager: 'yarn@4.1.0',
        scripts: { dev: 'next dev', build: 'next build', test: 'echo "Error: no test specified" && exit 1' },
        dependencies: { next: '14', react: '18', '@prisma/client': '5', express: '4' },
        devDependencies: { typescript: '5', tailwindcss: '3' },
      }),
      'tsconfig.json': '{}',
      'src/features/cart/index.ts': '',
      'src/features/cart/README.md': '# Cart\n\nWhat is *about* to be `bought`.\n',
      'src/features/users/index.ts': '',
      'src/app/page.tsx': '',
      'src/store/reducers.ts': 'export const long = "long long long";\n',
      'src/store/actions.ts': '',
      'docs/setup.md': '---\ntitle: Set up\ntags: [a]\n---\n# Set up\n\n[nowhere](missing.md)\n',
      'docs/deep/er.md': '# Deeper\n',
      'AGENTS.md': '# For agents\n',
    },
    says: {
      project: { name: '@acme/shop', type: 'fullstack' },
      tech: { stack: ['TypeScript', 'Next.js', 'React', 'Express', 'Prisma', 'Tailwind CSS'], packageManager: 'yarn' },
      modules: {
        app: { description: 'The folder src/app.', keyFiles: [{ path: 'src/app/page.tsx', role: 'entry' }] },
        cart: {
          description: 'What is about to be bought.',
          keyFiles: [{ path: 'src/features/cart/index.ts', role: 'entry' }],
        },
        users: {
          description: 'The folder src/features/users.',
          keyFiles: [{ path: 'src/features/users/index.ts', role: 'entry' }],
        },
        store: { description: 'The folder src/store.', keyFiles: [{ path: 'src/store/reducers.ts', role: 'core' }] },
      },
      files: ['AGENTS.md', 'docs/**/*.md'],
    },
    commands: ['yarn install', 'yarn run build', 'yarn run dev'],
  },
  'npm workspaces': {
    files: {
      'package.json': json({
        name: 'mono',
        private: true,
        workspaces: ['packages/*', 'apps/*', '!packages/old', '../outside', 'packages/none'],
        scripts: { build: 'tsc -b' },
      }),
      'packages/core/package.json': json({ name: '@mono/core', description: 'Shared things', main: 'dist/index.js' }),
      'packages/core/src/index.ts': '',
      'packages/ui/package.json': json({ name: '@mono/ui', dependencies: { '@mono/core': '*', react: '18' } }),
      'packages/ui/index.tsx': '',
      'packages/old/package.json': json({ name: '@mono/old' }),
      'packages/no-manifest/index.ts': '',
      'apps/ui/package.json': json({ name: 'ui', dependencies: { '@mono/ui': '*', fastify: '4' } }),
      'apps/ui/src/main.ts': '',
      'tsconfig.json': '{}',
    },
    says: {
      project: { name: 'mono', type: 'fullstack' },
      tech: { stack: ['TypeScript', 'React', 'Fastify'], packageManager: 'npm' },
      architecture: {
        pattern: 'monorepo',
        description: 'Several packages in one repository, under packages/, apps/.',
      },
      modules: {
        core: {
          description: 'Shared things',
          keyFiles: [
            { path: 'packages/core/src/index.ts', role: 'entry' },
            { path: 'packages/core/package.json', role: 'config' },
          ],
        },
        'packages/ui': {
          description: 'The folder packages/ui.',
          keyFiles: [
            { path: 'packages/ui/index.tsx', role: 'entry' },
            { path: 'packages/ui/package.json', role: 'config' },
          ],
          dependencies: ['core'],
        },
        'apps/ui': {
          description: 'The folder apps/ui.',
          keyFiles: [
            { path: 'apps/ui/src/main.ts', role: 'entry' },
            { path: 'apps/ui/package.json', role: 'config' },
          ],
          dependencies: ['packages/ui'],
        },
      },
    },
    commands: ['npm install', 'npm run build'],
  },
  'pnpm workspaces': {
    files: {
      'package.json': json({ name: 'pnpm-mono', private: true, scripts: { test: 'vitest' } }),
      'pnpm-workspace.yaml': 'packages: # all of them\n  # apps\n  - "apps/**"\n\n  - tools\ncatalog:\n  - "never/*"\n',
      'pnpm-lock.yaml': 'lockfileVersion: 9\n',
      'apps/deep/web/package.json': json({ name: 'web', bin: { web: './cli.mjs' } }),
      'apps/deep/web/cli.mjs': '',
      'tools/package.json': json({ name: 'tools' }),
      'never/x/package.json': json({ name: 'x' }),
    },
    says: {
      project: { name: 'pnpm-mono', type: 'cli' },
      tech: { stack: ['JavaScript'], packageManager: 'pnpm' },
      modules: {
        web: {
          description: 'The folder apps/deep/web.',
          keyFiles: [
            { path: 'apps/deep/web/cli.mjs', role: 'entry' },
            { path: 'apps/deep/web/package.json', role: 'config' },
          ],
        },
        tools: { description: 'The folder tools.', keyFiles: [{ path: 'tools/package.json', role: 'config' }] },
      },
    },
    commands: ['pnpm install', 'pnpm test'],
  },
  'Python with poetry': {
    files: {
      'pyproject.toml': `[tool.poetry]
name = "snake-shop"
description = "Sells snakes"
[tool.poetry.dependencies]
python = "^3.11"
FastAPI = "^0.100"
[tool.poetry.group.dev.dependencies]
pytest = "*"
[build-system]
requires = ["poetry-core"]
`,
      'snake_shop/__init__.py': '#!/usr/bin/env python\n\n"""Snakes and how they are sold. More.\n\nMuch more.\n"""\n',
      'snake_shop/api/__init__.py': "'''Routes'''\n",
      'snake_shop/models/__init__.py': '',
      'tests/test_it.py': '',
    },
    says: {
      project: { name: 'snake-shop', type: 'api', description: 'Sells snakes' },
      tech: { stack: ['Python', 'FastAPI', 'pytest'], runtime: 'Python ^3.11', packageManager: 'poetry' },
      modules: {
        snake_shop: {
          description: 'Snakes and how they are sold.',
          keyFiles: [{ path: 'snake_shop/__init__.py', role: 'entry' }],
        },
        api: { description: 'Routes', keyFiles: [{ path: 'snake_shop/api/__init__.py', role: 'entry' }] },
        models: {
          description: 'The folder snake_shop/models.',
          keyFiles: [{ path: 'snake_shop/models/__init__.py', role: 'entry' }],
        },
      },
    },
    commands: ['poetry install', 'poetry run pytest'],
  },
  'Python with uv, a workspace': {
    files: {
      'pyproject.toml': `[project]
name = "hall"
requires-python = ">=3.12"
dependencies = ["Django>=5 ; python_version > '3'", "lib_one"]
[project.scripts]
hall = "hall:main"
[tool.uv.workspace]
members = ["libs/*"]
`,
      'uv.lock': '',
      'libs/one/pyproject.toml': '[project]\nname = "lib-one"\ndescription = "One"\n',
      'libs/one/src/lib_one/__init__.py': '',
      'libs/two/pyproject.toml': '[project]\nname = "lib-two"\ndependencies = ["lib-one"]\n',
      'libs/two/lib_two/__init__.py': '',
    },
    says: {
      project: { name: 'hall', type: 'web-app' },
      tech: { stack: ['Python', 'Django'], runtime: 'Python >=3.12', packageManager: 'uv' },
      modules: {
        one: {
          description: 'One',
          keyFiles: [
            { path: 'libs/one/src/lib_one/__init__.py', role: 'entry' },
            { path: 'libs/one/pyproject.toml', role: 'config' },
          ],
        },
        two: {
          description: 'The folder libs/two.',
          keyFiles: [
            { path: 'libs/two/lib_two/__init__.py', role: 'entry' },
            { path: 'libs/two/pyproject.toml', role: 'config' },
          ],
          dependencies: ['one'],
        },
      },
    },
    commands: ['uv sync'],
  },
  'Python with setup.cfg and requirements': {
    files: {
      'setup.cfg': '[metadata]\nname = old-snake\ndescription = An old one\n[options]\nname = not-this\n',
      'requirements.txt': '# pinned\nFlask==3.0\n-r other.txt\npytest\n',
      'src/old_snake/__init__.py': '',
    },
    says: {
      project: { name: 'old-snake', type: 'api', description: 'An old one' },
      tech: { stack: ['Python', 'Flask', 'pytest'], runtime: 'Python', packageManager: 'pip' },
    },
    commands: ['pip install -r requirements.txt', 'pytest'],
  },
  'a Rust workspace': {
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n[workspace.package]\nrust-version = "1.75"\n',
      'crates/engine/Cargo.toml': '[package]\nname = "engine"\n[dependencies]\ntokio = { version = "1" }\n',
      'crates/engine/src/lib.rs': '//! The engine\n//! of it all.\n\nfn main() {}\n',
      'crates/app/Cargo.toml':
        '[package]\nname = "app"\n[dependencies]\ne = { package = "engine", path = "../engine" }\n',
      'crates/app/src/main.rs': 'fn main() {}\n',
      'target/debug/junk.rs': '',
    },
    says: {
      tech: { stack: ['Rust', 'Tokio'], runtime: 'Rust 1.75', packageManager: 'cargo' },
      modules: {
        app: {
          description: 'The folder crates/app.',
          keyFiles: [
            { path: 'crates/app/src/main.rs', role: 'entry' },
            { path: 'crates/app/Cargo.toml', role: 'config' },
          ],
          dependencies: ['engine'],
        },
        engine: {
          description: 'The engine of it all.',
          keyFiles: [
            { path: 'crates/engine/src/lib.rs', role: 'entry' },
            { path: 'crates/engine/Cargo.toml', role: 'config' },
          ],
        },
      },
    },
    commands: ['cargo build', 'cargo test'],
  },
  'a Rust crate': {
    files: {
      'Cargo.toml': '[package]\nname = "crab"\ndescription = "Walks sideways"\n[dependencies]\naxum = "0.7"\n',
      'src/main.rs': '//! Where crabs start.\n',
      'src/walk/mod.rs': '',
    },
    says: {
      project: { name: 'crab', type: 'api', description: 'Walks sideways' },
      modules: {
        src: { description: 'Where crabs start.', keyFiles: [{ path: 'src/main.rs', role: 'entry' }] },
        walk: { description: 'The folder src/walk.', keyFiles: [{ path: 'src/walk/mod.rs', role: 'entry' }] },
      },
    },
    commands: ['cargo build', 'cargo test'],
  },
  'a Go module with a Makefile': {
    files: {
      'go.mod':
        'module github.com/acme/gopher/v2 // v2\n\ngo 1.22\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.0\n\tgithub.com/spf13/cobra v1 // indirect\n)\n',
      'cmd/gopher/main.go': 'package main\n',
      'internal/store/store.go': '// Copyright\n\n// Package store keeps things. And more.\npackage store\n',
      'internal/store/store_test.go': '',
      Makefile: 'VERSION := 1\n.PHONY: lint\nlint: deps\n\tgolangci-lint run\ndeps:\n\techo\n',
    },
    says: {
      project: { name: 'gopher', type: 'api' },
      tech: { stack: ['Go', 'Gin'], runtime: 'Go 1.22', packageManager: 'go' },
      modules: {
        gopher: { description: 'The folder cmd/gopher.', keyFiles: [{ path: 'cmd/gopher/main.go', role: 'entry' }] },
        store: {
          description: 'Package store keeps things.',
          keyFiles: [{ path: 'internal/store/store.go', role: 'entry' }],
        },
      },
    },
    commands: ['go build ./...', 'go test ./...', 'make lint'],
  },
  'a Go workspace': {
    files: {
      'go.work': 'go 1.22\nuse (\n\t./svc\n\t./lib\n)\n',
      'svc/go.mod': 'module acme.org/svc\nrequire acme.org/lib v0.0.0\n',
      'svc/main.go': 'package main\n',
      'lib/go.mod': 'module acme.org/lib\n',
      'lib/lib.go': 'package lib\n',
    },
    says: {
      architecture: { pattern: 'monorepo', description: 'Several packages in one repository, under the root.' },
      modules: {
        svc: {
          description: 'The folder svc.',
          keyFiles: [
            { path: 'svc/main.go', role: 'entry' },
            { path: 'svc/go.mod', role: 'config' },
          ],
          dependencies: ['lib'],
        },
        lib: {
          description: 'The folder lib.',
          keyFiles: [
            { path: 'lib/lib.go', role: 'entry' },
            { path: 'lib/go.mod', role: 'config' },
          ],
        },
      },
    },
    commands: [],
  },
  'Java with Maven': {
    files: {
      'pom.xml': '<project><parent><groupId>org.springframework.boot</groupId></parent></project>\n',
      mvnw: '#!/bin/sh\n',
      'src/main/java/org/acme/app/App.java': 'class App {}\n',
      'src/main/java/org/acme/app/web/Web.java': 'class Web {}\n',
      'README.md': 'Acme\n====\n\nServes\n*things*.\n\n- a list\n',
    },
    says: {
      project: { name: 'Acme', type: 'api', description: 'Serves things.' },
      tech: { stack: ['Java', 'Spring Boot'], runtime: 'JVM', packageManager: 'maven' },
      files: ['README.md'],
    },
    commands: ['./mvnw package', './mvnw test'],
  },
  'Gradle with parts': {
    files: {
      'settings.gradle.kts': 'include("app")\n',
      'app/build.gradle.kts': '',
      'app/src/main/kotlin/App.kt': '',
    },
    says: {
      tech: { stack: ['Kotlin'], runtime: 'JVM', packageManager: 'gradle' },
      modules: {
        app: { description: 'The folder app.', keyFiles: [{ path: 'app/build.gradle.kts', role: 'config' }] },
      },
    },
    commands: ['gradle build', 'gradle test'],
  },
  'Ruby and PHP beside each other': {
    files: {
      Gemfile: "source 'https://x'\nruby '3.2'\ngem 'rails', '~> 7'\ngem \"rspec-rails\"\n",
      'composer.json': json({
        name: 'acme/php',
        type: 'library',
        require: { php: '>=8.1' },
        scripts: { test: 'phpunit' },
      }),
      'app/models/user.rb': '',
      'app/controllers/users.rb': '',
    },
    says: {
      project: { name: 'acme/php', type: 'web-app' },
      tech: { stack: ['Ruby', 'Ruby on Rails', 'PHP'], runtime: 'Ruby 3.2', packageManager: 'bundler' },
      modules: {
        controllers: {
          description: 'The folder app/controllers.',
          keyFiles: [{ path: 'app/controllers/users.rb', role: 'core' }],
        },
        models: { description: 'The folder app/models.', keyFiles: [{ path: 'app/models/user.rb', role: 'core' }] },
      },
    },
    commands: ['bundle install', 'bundle exec rspec', 'composer install', 'composer test'],
  },
};
