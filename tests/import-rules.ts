import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser'

// The rules for the tool dependency-cruiser that say which folder may import from which (see
// docs/development.md).

/**
 * The names of the features in the order of their dependencies: a feature may import only from itself and
 * from the features before it.
 */
export const featureNamesInDependencyOrder = [
  'people',
  'registration',
  'account',
  'posts',
  'tags',
  'replies',
  'chat',
  'reactions',
  'mentions',
  'link-previews',
  'notifications',
  'push',
  'digest',
  'deliveries',
  'guardians',
  'cards',
  'moderation',
  'admin',
  'export',
  'shop',
  'public-chat',
  'current-user',
]

const browserFiles = '^(web/|features/[^/]+/web/)'
const sharedFiles =
  '^(core/(accent-colour|community-settings-contract|contract|format-bytes|invisible-characters|password-contract|preload-image-contract|realtime-auth-contract|stored-file-contract|stored-file-extensions|unicode)\\.ts|features/[^/]+/([a-z-]+-contract|contract|page-sections|pages)\\.ts)$'
const toolFolders = '^(demo|bench|bin|tests)/'
const files = (...names: string[]) => `^(${names.join('|')})`

const laterFeatures = featureNamesInDependencyOrder.slice(0, -1).map(
  (feature, index): IForbiddenRuleType => ({
    name: `${feature}-imports-earlier-features`,
    comment: `A feature imports only from those before it: ${featureNamesInDependencyOrder.join(', ')}.`,
    severity: 'error',
    from: { path: `^features/${feature}/` },
    to: {
      path: files(...featureNamesInDependencyOrder.slice(index + 1).map((later) => `features/${later}/`)),
    },
  }),
)

export const dependencyCruiserRules: IForbiddenRuleType[] = [
  {
    name: 'no-circular',
    comment: 'Files do not import each other in a circle.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^[#.]' } },
  {
    name: 'known-feature',
    comment: 'A new feature is added to the order in this file.',
    severity: 'error',
    from: {
      path: '^features/',
      pathNot: files(...featureNamesInDependencyOrder.map((feature) => `features/${feature}/`)),
    },
    to: {},
  },
  ...laterFeatures,
  {
    name: 'core-imports-core',
    comment: 'core/ is a toolkit that knows no feature.',
    severity: 'error',
    from: { path: '^core/' },
    to: { path: '^(features|web|app\\.ts|main\\.ts)' },
  },
  {
    name: 'product-imports-no-tools',
    comment: 'demo/, bench/, bin/ and tests/ are not part of the product.',
    severity: 'error',
    from: { path: '^(core|features|web|app\\.ts|main\\.ts)' },
    to: { path: toolFolders },
  },
  {
    name: 'shell-imports-only-people',
    comment: 'Other features register in the shell (web/web-modules.ts).',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^features/', pathNot: '^features/people/' },
  },
  {
    name: 'server-imports-no-browser-code',
    severity: 'error',
    from: { path: '^(core|features|app\\.ts|main\\.ts)', pathNot: browserFiles },
    to: { path: browserFiles },
  },
  {
    name: 'browser-gets-contracts-only',
    comment: 'Of the server, browsers get contracts and tables of pages alone.',
    severity: 'error',
    from: { path: browserFiles },
    to: { path: '^(core|features|app\\.ts|main\\.ts)', pathNot: [browserFiles, sharedFiles] },
  },
  {
    name: 'shared-files-import-shared-files',
    comment: 'Contracts and tables of pages reach the browser, and so does everything that they import.',
    severity: 'error',
    from: { path: sharedFiles },
    to: { path: '^(core|features|web|app\\.ts|main\\.ts)', pathNot: sharedFiles },
  },
  {
    name: 'only-the-composition-root-imports-the-app',
    severity: 'error',
    from: { path: '^(core|features|web)/' },
    to: { path: '^(app|main)\\.ts$' },
  },
]

export const dependencyCruiserOptions: ICruiseOptions = {
  parser: 'swc',
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '\\.(test|spec)\\.ts$|^features/[^/]+/test/' },
}
