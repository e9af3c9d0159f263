import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/my-groups/new',
    view: 'groups/CreatePage',
    title: { en: 'Create Group', ja: 'グループ作成' },
  },
  {
    path: '/admin/creategroup',
    view: 'groups/CreatePage',
    title: { en: 'Create Group', ja: 'グループ作成' },
  },
] as const satisfies readonly PageDefinition[]
