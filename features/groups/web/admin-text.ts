import { defineTexts, pluralSuffix } from '#web/i18n.ts'

/** Quoted in Japanese by the specification: everybody sees them so, readers of English also translated. */
export const adminSpecTexts = {
  notCreated: { children: '失敗しました', lang: 'ja', translation: 'The group was not created.' },
} as const

const createSentenceAroundName = (before: string, after: string) => [before, after] as const

const countMembers = (n: number) => `${n} member${pluralSuffix(n)}`

export const adminGroupsText = defineTexts({
  en: {
    createGroup: 'Create Group',
    toGroups: 'Your groups',
    adminsCreateGroups: 'Groups are created by admins here',
    adminsCreateGroupsHelp:
      'If you would like a new group, please ask an admin. Admins can also allow all members to create groups.',
    retry: 'Retry',
    loadMore: 'Load more',
    cancel: 'Cancel',
    moreAbout: (name: string) => `More about ${name}`,
    members: 'Members',
    groups: 'Groups',
    noGroups: 'No groups yet.',
    noGroupsHelp: 'A group is a chat for the members that you choose.',
    membersCount: countMembers,
    createdOn: 'Created ',
    rename: 'Rename…',
    renameTitle: 'Rename the group',
    renameVerb: 'Rename',
    groupName: 'Group name',
    remove: 'Delete…',
    removeTitle: createSentenceAroundName('Delete “', '”?'),
    removeHelp: (n: number) =>
      `It has ${countMembers(n)}. All its messages and pictures are deleted too. This cannot be undone.`,
    removeVerb: 'Delete group',
    removed: createSentenceAroundName('The group “', '” was deleted.'),
    chosen: (n: number) => `${n} chosen`,
    creatorIsMember: 'You become a member too.',
    allUsers: 'All users',
    searchBy: 'Search by Username',
    nobodyElse: 'There are no other users yet.',
    nobodyFound: (q: string) => `No user name contains “${q}”.`,
    create: 'Create group',
    adding: (at: number, of: number) => `Adding ${at} of ${of}…`,
    created: (n: number) =>
      createSentenceAroundName(
        'The group “',
        `” was created, and ${n} user${pluralSuffix(n)} ${n === 1 ? 'was' : 'were'} added.`,
      ),
    notAdded: (n: number) => `${n} user${pluralSuffix(n)} could not be added:`,
    pleaseLogIn: 'Please log in.',
    noSuchGroup: 'The group no longer exists.',
    toGroup: 'Open the group',
    createAnother: 'Create another group',
  },
  ja: {
    createGroup: 'グループ作成',
    toGroups: 'グループ一覧',
    adminsCreateGroups: 'グループを作れるのは、管理者だけです',
    adminsCreateGroupsHelp:
      '新しいグループが必要なときは、管理者に相談してください。管理者は、メンバー全員がグループを作成できるように設定することもできます。',
    retry: 'もう一度試す',
    loadMore: 'もっと見る',
    cancel: 'キャンセル',
    moreAbout: (name: string) => `「${name}」の操作メニュー`,
    members: 'メンバー',
    groups: 'グループ',
    noGroups: 'グループはまだありません。',
    noGroupsHelp: 'グループでは、選んだメンバーだけで話せます。',
    membersCount: (n: number) => `${n}人`,
    createdOn: '作成日：',
    rename: '名前を変更…',
    renameTitle: 'グループ名の変更',
    renameVerb: '変更する',
    groupName: 'グループ名',
    remove: '削除…',
    removeTitle: createSentenceAroundName('「', '」を削除しますか？'),
    removeHelp: (n: number) => `メンバーは${n}人です。メッセージと画像もすべて削除され、元には戻せません。`,
    removeVerb: 'グループを削除',
    removed: createSentenceAroundName('グループ「', '」を削除しました。'),
    chosen: (n: number) => `${n}人を選択中`,
    creatorIsMember: '作成者は自動的にメンバーになります。',
    allUsers: 'すべてのメンバー',
    searchBy: '名前で検索',
    nobodyElse: 'まだほかのメンバーがいません。',
    nobodyFound: (q: string) => `「${q}」を含む名前のメンバーは見つかりませんでした。`,
    create: 'グループを作成',
    adding: (at: number, of: number) => `${of}人中${at}人目を追加しています…`,
    created: (n: number) => createSentenceAroundName('グループ「', `」を作成し、${n}人を追加しました。`),
    notAdded: (n: number) => `${n}人を追加できませんでした。`,
    pleaseLogIn: 'ログインしてください。',
    noSuchGroup: 'このグループはもうありません。',
    toGroup: 'グループを開く',
    createAnother: '別のグループを作成',
  },
})
