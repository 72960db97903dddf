// Dependencies that say what a project is made with, by the name that a package index has for them. A few of them
// also say what it is for. Not every library: what somebody would name when asked for the stack.

import type { Kind } from './found.ts';

type Known = { label: string; kind?: Kind };

const JAVASCRIPT = table(`
  next Next.js web | nuxt Nuxt web | @remix-run/react Remix web | astro Astro web | gatsby Gatsby web
  react React web | react-dom React web | vue Vue web | svelte Svelte web | @sveltejs/kit SvelteKit web
  @angular/core Angular web | solid-js Solid web | preact Preact web | lit Lit web | ember-source Ember web
  react-native React_Native | expo Expo | electron Electron | @tauri-apps/api Tauri
  express Express api | fastify Fastify api | @nestjs/core NestJS api | koa Koa api | hono Hono api
  @hapi/hapi hapi api | @apollo/server Apollo_Server api | @trpc/server tRPC api | graphql GraphQL
  @prisma/client Prisma | prisma Prisma | drizzle-orm Drizzle | typeorm TypeORM | sequelize Sequelize
  mongoose MongoDB | mongodb MongoDB | pg PostgreSQL | postgres PostgreSQL | mysql2 MySQL | redis Redis | ioredis Redis
  tailwindcss Tailwind_CSS | vite Vite | webpack webpack | rollup Rollup | esbuild esbuild | turbo Turborepo | nx Nx
  jest Jest | vitest Vitest | mocha Mocha | @playwright/test Playwright | cypress Cypress | storybook Storybook
  @modelcontextprotocol/sdk Model_Context_Protocol | three three.js | redux Redux | rxjs RxJS`);

const PYTHON = table(`
  django Django web | flask Flask api | fastapi FastAPI api | starlette Starlette api | aiohttp aiohttp | tornado Tornado api
  streamlit Streamlit web | sqlalchemy SQLAlchemy | pydantic Pydantic | celery Celery | numpy NumPy | pandas pandas
  torch PyTorch | tensorflow TensorFlow | scikit-learn scikit-learn | scrapy Scrapy | psycopg PostgreSQL
  psycopg2 PostgreSQL | redis Redis | typer Typer | click Click | pytest pytest`);

const RUST = table(`
  axum Axum api | actix-web Actix_Web api | rocket Rocket api | warp warp api | tokio Tokio | serde Serde | clap clap
  diesel Diesel | sqlx SQLx | sea-orm SeaORM | tonic tonic api | tauri Tauri web | leptos Leptos web | yew Yew web
  bevy Bevy | wasm-bindgen WebAssembly`);

const GO = table(`
  github.com/gin-gonic/gin Gin api | github.com/labstack/echo Echo api | github.com/gofiber/fiber Fiber api
  github.com/go-chi/chi chi api | github.com/gorilla/mux gorilla/mux api | google.golang.org/grpc gRPC api
  github.com/spf13/cobra Cobra cli | github.com/urfave/cli urfave/cli cli | gorm.io/gorm GORM
  github.com/jackc/pgx PostgreSQL | github.com/redis/go-redis Redis`);

const RUBY = table('rails Ruby_on_Rails web | sinatra Sinatra api | rspec RSpec | sidekiq Sidekiq | pg PostgreSQL');

const PHP = table(`
  laravel/framework Laravel web | symfony/framework-bundle Symfony web | slim/slim Slim api
  phpunit/phpunit PHPUnit | doctrine/orm Doctrine`);

const TABLES = { JAVASCRIPT, PYTHON, RUST, GO, RUBY, PHP };

/** What the names of dependencies say, in the order of the table: what shapes a project most comes first. */
export function knownIn(language: keyof typeof TABLES, names: Iterable<string>): { stack: string[]; kinds: Kind[] } {
  const used = new Set(names);
  const known = [...TABLES[language]].flatMap(([name, one]) => (used.has(name) ? [one] : []));
  return {
    stack: [...new Set(known.map(({ label }) => label))],
    kinds: [...new Set(known.flatMap(({ kind }) => kind ?? []))],
  };
}

/** Rows of `name label kind`; `_` is a space of the label. */
function table(rows: string): Map<string, Known> {
  return new Map(
    rows.split(/[|\n]/).flatMap((row) => {
      const [name, label, kind] = row.trim().split(/\s+/);
      if (!name || label === undefined) return [];
      return [[name, { label: label.replace(/_/g, ' '), ...(kind === undefined ? {} : { kind: kind as Kind }) }]];
    }),
  );
}
