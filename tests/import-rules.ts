import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser'

// The rules for the tool dependency-cruiser that say which folder may import from which (see
// docs/development.md).

/**
 * The names of the features in the order of their dependencies: a feature may import only from itself and
 * from the features before it.
 */
export const featureOrder = [
  'people',
  'registration',
  'account',
  'posts',
  'tags',
  'circulars',
  'replies',
  'voice',
  'conversations',
  'groups',
  'messages',
  'reactions',
  'mentions',
  'link-previews',
  'notifications',
  'push',
  'digest',
  'deliveries',
  'new-posts',
  'guardians',
  'open-groups',
  'acknowledgements',
  'roll-calls',
  'polls',
  'events',
  'calendars',
  'rota',
  'scheduled',
  'drafts',
  'search',
  'cards',
  'moderation',
  'albums',
  'turns',
  'since',
  'admin',
  'export',
  'shop',
  'public-chat',
  'current-user',
]

const browserFiles = '^(web/|features/[^/]+/web/)'
const sharedFiles =
  '^(core/(contract|community/(accent-colour|settings-contract)|text/(dot|fold-names|format|format-bytes|format-duration|honorific|invisible-characters|shorten|unicode)|media/file-types|realtime/auth-contract)\\.ts|features/[^/]+/([a-z-]+-contract|contract|page-sections|pages)\\.ts)$'
/** They import valibot. Contracts and browsers take only types from them. */
const schemaFiles = '^(core|features)/.*schemas\\.ts$'
const toolFolders = '^(demo|bench|bin|tests)/'
const files = (...names: string[]) => `^(${names.join('|')})`

const laterFeatures = featureOrder.slice(0, -1).map(
  (feature, index): IForbiddenRuleType => ({
    name: `${feature}-imports-earlier-features`,
    comment: `A feature imports only from those before it: ${featureOrder.join(', ')}.`,
    severity: 'error',
    from: { path: `^features/${feature}/` },
    to: {
      path: files(...featureOrder.slice(index + 1).map((later) => `features/${later}/`)),
    },
  }),
)

export const importRules: IForbiddenRuleType[] = [
  {
    name: 'no-circular',
    comment: 'Files do not import each other in a circle.',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'no-circular-types',
    comment: 'Only contracts and their schemas need each other, and contracts need only types.',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { pathNot: `${sharedFiles}|${schemaFiles}` } },
  },
  { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^[#.]' } },
  {
    name: 'known-feature',
    comment: 'A new feature is added to the order in this file.',
    severity: 'error',
    from: {
      path: '^features/',
      pathNot: files(...featureOrder.map((feature) => `features/${feature}/`)),
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
    to: { path: '^(core|features|app\\.ts|main\\.ts)', pathNot: [browserFiles, sharedFiles, schemaFiles] },
  },
  {
    name: 'browser-gets-no-schemas',
    comment: 'Only the server checks data. Browsers get the types of schemas.',
    severity: 'error',
    from: { path: [browserFiles, sharedFiles] },
    to: { path: [schemaFiles, '(^|/)valibot(/|$)'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'shared-files-import-shared-files',
    comment: 'Contracts and tables of pages reach the browser, and so does everything that they import.',
    severity: 'error',
    from: { path: sharedFiles },
    to: { path: '^(core|features|web|app\\.ts|main\\.ts)', pathNot: [sharedFiles, schemaFiles] },
  },
  {
    name: 'only-the-composition-root-imports-the-app',
    severity: 'error',
    from: { path: '^(core|features|web)/' },
    to: { path: '^(app|main)\\.ts$' },
  },
]

export const cruiserOptions: ICruiseOptions = {
  parser: 'swc',
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '\\.(test|spec)\\.ts$|^features/[^/]+/test/' },
}
