import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/groups', view: 'open-groups/FindPage', title: { en: 'Find groups', ja: 'グループを探す' } },
  {
    path: '/groups/requests',
    view: 'open-groups/RequestsPage',
    title: { en: 'Requests to join groups', ja: 'グループへの参加の申し込み' },
  },
  {
    path: '/groups/link/:token',
    view: 'open-groups/LinkPage',
    title: { en: 'Link to a group', ja: 'グループへの招待' },
  },
  { path: '/groups/:id', view: 'open-groups/GroupPage', title: { en: 'Group', ja: 'グループ' } },
] as const satisfies readonly PageDefinition[]
