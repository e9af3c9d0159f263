import { texts } from '#web/i18n.ts'

/** A sentence that is shown in this language to everyone, with a translation beneath: see QuotedText. */
export const fixed = {
  notCreated: { children: '失敗しました', lang: 'ja', also: 'The group was not created.' },
} as const

const s = (n: number) => (n === 1 ? '' : 's')
/** The text before and after a name: see NameInSentence. */
type Around = readonly [before: string, after: string]
const around = (before: string, after: string): Around => [before, after]

export const adminGroupsText = texts({
  en: {
    createGroup: 'Create Group',
    retry: 'Retry',
    loadMore: 'Load more',
    cancel: 'Cancel',
    moreAbout: (name: string) => `More about ${name}`,
    members: 'Members',
    groups: 'Groups',
    noGroups: 'No groups yet.',
    noGroupsHelp: 'In a group, the members that you choose talk among themselves.',
    membersCount: (n: number) => `${n} member${s(n)}`,
    since: 'Since ',
    rename: 'Rename…',
    renameTitle: 'Rename the group',
    renameVerb: 'Rename',
    groupName: 'Group name',
    remove: 'Delete…',
    removeTitle: around('Delete “', '”?'),
    removeHelp: (n: number) =>
      `It ends for its ${n} member${s(n)}. All its messages and pictures are deleted too, and nothing brings them back.`,
    removeVerb: 'Delete group',
    removed: around('The group “', '” was deleted.'),
    chosen: (n: number) => `${n} chosen`,
    chosenAre: (n: number) => `${n} user${s(n)} chosen`,
    youAreIn: 'You are a member from the start.',
    allUsers: 'All users',
    searchBy: 'Search by Username',
    nobodyElse: 'Nobody else is here yet.',
    nobodyFound: (q: string) => `Nobody here is called “${q}”.`,
    create: 'Create group',
    adding: (at: number, of: number) => `Adding ${at} of ${of}…`,
    created: (n: number) =>
      around('The group “', `” was created, and ${n} user${s(n)} ${n === 1 ? 'was' : 'were'} added.`),
    notAdded: (n: number) => `${n} user${s(n)} could not be added:`,
    pleaseLogIn: 'Please log in.',
    noSuchGroup: 'The group is not there any more.',
    toGroup: 'Open the group',
    another: 'Create another group',
  },
  ja: {
    createGroup: 'グループ作成',
    retry: '再試行',
    loadMore: 'さらに読み込む',
    cancel: 'キャンセル',
    moreAbout: (name: string) => `「${name}」の操作`,
    members: 'メンバー',
    groups: 'グループ',
    noGroups: 'グループはまだありません。',
    noGroupsHelp: 'グループでは、選んだメンバーだけで話せます。',
    membersCount: (n: number) => `${n}人`,
    since: '作成日：',
    rename: '名前を変更…',
    renameTitle: 'グループ名の変更',
    renameVerb: '変更する',
    groupName: 'グループ名',
    remove: '削除…',
    removeTitle: around('「', '」を削除しますか？'),
    removeHelp: (n: number) =>
      `グループのメンバー${n}人が使えなくなり、メッセージと画像もすべて削除されます。元には戻せません。`,
    removeVerb: 'グループを削除',
    removed: around('グループ「', '」を削除しました。'),
    chosen: (n: number) => `${n}人を選択中`,
    chosenAre: (n: number) => `${n}人を選択中`,
    youAreIn: '作成者は自動的にメンバーになります。',
    allUsers: 'すべてのユーザー',
    searchBy: 'ユーザー名で検索',
    nobodyElse: 'まだほかのユーザーがいません。',
    nobodyFound: (q: string) => `「${q}」を含む名前のユーザーは見つかりませんでした。`,
    create: 'グループを作成',
    adding: (at: number, of: number) => `${of}人中${at}人目を追加しています…`,
    created: (n: number) => around('グループ「', `」を作成し、${n}人を追加しました。`),
    notAdded: (n: number) => `${n}人を追加できませんでした。`,
    pleaseLogIn: 'ログインしてください。',
    noSuchGroup: 'このグループはもうありません。',
    toGroup: 'グループを開く',
    another: '別のグループを作成',
  },
})
