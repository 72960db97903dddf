// Ruby, PHP and the JVM, as far as the presence of a file and a few lines of it tell; and the targets of a Makefile.

import { foreignName, foreignSentence } from './foreign-text.ts';
import { type Found, type Member, NOTHING_FOUND } from './found.ts';
import { knownIn } from './known-technology.ts';
import { keysOf, under } from './outside-values.ts';
import { joined, type Survey } from './survey.ts';

export function findRuby(survey: Survey): Found | undefined {
  const text = survey.text('Gemfile');
  if (text === undefined) return undefined;
  const gems = [...text.matchAll(/^[ \t]*gem[ \t]+["']([\w-]+)["']/gm)].map(([, name]) => name as string);
  const tests = gems.some((name) => name.startsWith('rspec')) ? ['bundle exec rspec'] : [];
  const version = /^[ \t]*ruby[ \t]+["']([\w.~>= ]+)["']/m.exec(text)?.[1];
  return {
    ...NOTHING_FOUND,
    ...withStack('Ruby', knownIn('RUBY', gems)),
    runtime: version === undefined ? 'Ruby' : `Ruby ${version}`,
    packageManager: 'bundler',
    commands: ['bundle install', ...tests],
  };
}

export function findPhp(survey: Survey): Found | undefined {
  const root = survey.json('composer.json');
  if (root === undefined) return undefined;
  const required = [...keysOf(under(root, 'require')), ...keysOf(under(root, 'require-dev'))];
  const name = foreignName(under(root, 'name'));
  const description = foreignSentence(under(root, 'description'));
  const version = foreignName(under(root, 'require', 'php'));
  const { stack, kinds } = withStack('PHP', knownIn('PHP', required));
  return {
    ...NOTHING_FOUND,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    stack,
    kinds: under(root, 'type') === 'library' ? [...kinds, 'library'] : kinds,
    runtime: version === undefined ? 'PHP' : `PHP ${version}`,
    packageManager: 'composer',
    commands: ['composer install', ...(under(root, 'scripts', 'test') === undefined ? [] : ['composer test'])],
  };
}

const GRADLE = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];

export function findJvm(survey: Survey): Found | undefined {
  const maven = survey.isFile('pom.xml');
  const gradle = GRADLE.some((file) => survey.isFile(file));
  if (!maven && !gradle) return undefined;
  const manifests = maven ? ['pom.xml'] : ['build.gradle', 'build.gradle.kts'];
  const members = survey.list('').folders.flatMap((folder): Member[] => {
    const manifest = manifests.map((name) => joined(folder, name)).find((path) => survey.isFile(path));
    return manifest === undefined ? [] : [{ folder, entries: [], manifest, needs: [] }];
  });
  const isKotlin =
    survey.isFolder('src/main/kotlin') || members.some(({ folder }) => survey.isFolder(`${folder}/src/main/kotlin`));
  const build = ['pom.xml', ...GRADLE].map((file) => (survey.isFile(file) ? (survey.text(file) ?? '') : '')).join('\n');
  const isSpring = /org\.springframework\.boot/.test(build);
  const [wrapper, plain] = maven ? ['mvnw', 'mvn'] : ['gradlew', 'gradle'];
  const tool = survey.isFile(wrapper as string) ? `./${wrapper}` : plain;
  return {
    ...NOTHING_FOUND,
    stack: [isKotlin ? 'Kotlin' : 'Java', ...(isSpring ? ['Spring Boot'] : [])],
    kinds: isSpring ? ['api'] : [],
    runtime: 'JVM',
    packageManager: maven ? 'maven' : 'gradle',
    commands: maven ? [`${tool} package`, `${tool} test`] : [`${tool} build`, `${tool} test`],
    members,
    isMonorepo: members.length > 0,
  };
}

const TARGETS = ['install', 'setup', 'dev', 'run', 'build', 'test', 'lint', 'check', 'fmt', 'format'];

export function findMake(survey: Survey): Found | undefined {
  if (!survey.isFile('Makefile')) return undefined;
  const text = survey.text('Makefile') ?? '';
  const targets = new Set([...text.matchAll(/^([a-z]+)[ \t]*:(?!=)/gm)].map(([, name]) => name as string));
  return { ...NOTHING_FOUND, commands: TARGETS.filter((name) => targets.has(name)).map((name) => `make ${name}`) };
}

function withStack(language: string, { stack, kinds }: ReturnType<typeof knownIn>): Pick<Found, 'stack' | 'kinds'> {
  return { stack: [language, ...stack], kinds };
}
