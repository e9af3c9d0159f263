import { san } from '#core/text/honorific.ts'
import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const groupText = defineTexts({
  en: {
    more: 'More',
    save: 'Save',
    cancel: 'Cancel',
    membersOf: (name: string) => `Members of ${name}`,
    addedBy: (name: string) => `Added by ${name}`,
    addedBySelf: 'Created the group',
    joined: 'Joined by themselves',
    close: 'Close',
    addPeopleTo: (name: string) => `Add people to ${name}`,
    searchBy: 'Search by Username',
    add: 'Add',
    addWhom: (name: string) => `Add ${name}`,
    alreadyMember: 'Member',
    owner: 'Owner',
    nobodyFound: 'No users found.',
    renameTitle: 'Rename group',
    groupName: 'Group name',
    removeMember: (name: string) => `Remove ${name}`,
    removeTitle: (name: string, group: string) => `Remove ${name} from ${group}?`,
    removeHelp: 'Their messages stay, but they can no longer read the group.',
    confirmRemoveMember: 'Remove member',
    end: 'End group',
    endTitle: (name: string) => `End ${name}?`,
    endHelp:
      'Its members can still read everything, but nobody writes or joins any more. You can open it again.',
    reopen: 'Open again',
    reopenTitle: (name: string) => `Open ${name} again?`,
    reopenHelp: 'Its members can write again.',
    leave: 'Leave group',
    leaveTitle: (name: string) => `Leave ${name}?`,
    leaveHelp: 'Your messages stay. To come back, ask somebody who manages the group to add you.',
    leaveHelpForOwner:
      'Your messages stay. From then on, the member who has been here longest manages the group; you can hand it over to another member before. To come back, ask that member or an admin to add you.',
    deleteGroup: 'Delete group',
    deleteGroupTitle: (name: string) => `Delete ${name}?`,
    deleteGroupHelp: 'The group and all its messages are deleted for everyone.',
  },
  ja: {
    more: 'その他',
    save: '保存',
    cancel: 'キャンセル',
    membersOf: (name: string) => `「${name}」のメンバー`,
    addedBy: (name: string) => `${san(name)}が追加`,
    addedBySelf: 'グループを作った人',
    joined: '自分で参加',
    close: '閉じる',
    addPeopleTo: (name: string) => `「${name}」にメンバーを追加`,
    searchBy: '名前で検索',
    add: '追加',
    addWhom: (name: string) => `${san(name)}を追加`,
    alreadyMember: '参加中',
    owner: 'まとめ役',
    nobodyFound: '該当するメンバーは見つかりませんでした。',
    renameTitle: 'グループ名を変更',
    groupName: 'グループ名',
    removeMember: (name: string) => `${san(name)}を外す`,
    removeTitle: (name: string, group: string) => `${san(name)}を「${group}」から外しますか？`,
    removeHelp: 'この人のメッセージは残ります。この人は、今後このグループを見られません。',
    confirmRemoveMember: '外す',
    end: '終了する',
    endTitle: (name: string) => `「${name}」を終了しますか？`,
    endHelp:
      'メンバーは、これまでのやりとりをこの先も読めます。新しいメッセージや参加はできなくなります。あとで再開することもできます。',
    reopen: '再開する',
    reopenTitle: (name: string) => `「${name}」を再開しますか？`,
    reopenHelp: 'メンバーが、またメッセージを送れるようになります。',
    leave: 'グループから退出',
    leaveTitle: (name: string) => `「${name}」から退出しますか？`,
    leaveHelp:
      'あなたのメッセージは残ります。また参加したいときは、まとめ役か管理者に追加してもらってください。',
    leaveHelpForOwner:
      'あなたのメッセージは残ります。退出すると、いちばん長く参加している人がまとめ役になります。先に、別の人に交代しておくこともできます。また参加したいときは、まとめ役か管理者に追加してもらってください。',
    deleteGroup: 'グループを削除',
    deleteGroupTitle: (name: string) => `「${name}」を削除しますか？`,
    deleteGroupHelp: 'グループと、これまでのメッセージや画像がすべて削除されます。元には戻せません。',
  },
})

export const descriptionText = defineTexts({
  en: {
    title: 'Description of the group',
    label: 'What is this group for?',
    hint: (max: number) => `All members of the group can read it. At most ${max} characters.`,
    save: 'Save',
    cancel: 'Cancel',
  },
  ja: {
    title: 'グループの説明',
    label: '何のためのグループですか？',
    hint: (max: number) => `グループのメンバー全員が読めます。${max}文字以内。`,
    save: '保存',
    cancel: 'キャンセル',
  },
})

export const handOverText = defineTexts({
  en: {
    title: (group: string) => `Hand over ${group}`,
    help: 'The new owner changes the group, and adds and removes members.',
    handOver: 'Hand over',
    choose: (name: string) => `Hand over to ${name}`,
    nobodyElse: 'There is no other member yet.',
    confirmTitle: (group: string, name: string) => `Hand over ${group} to ${name}?`,
    confirmHelp: (name: string) => `${name} owns the group from then on. All members see it in the chat.`,
    confirmHelpForOwner: (name: string) =>
      `${name} owns the group from then on, and you are a member like the others. All members see it in the chat.`,
    more: 'More',
    close: 'Close',
  },
  ja: {
    title: (group: string) => `「${group}」のまとめ役を交代`,
    help: '新しいまとめ役は、グループの名前や説明を変えたり、メンバーを追加したり外したりできます。',
    handOver: '交代する',
    choose: (name: string) => `${san(name)}に交代する`,
    nobodyElse: 'まだほかのメンバーがいません。',
    confirmTitle: (group: string, name: string) => `${san(name)}を「${group}」のまとめ役にしますか？`,
    confirmHelp: (name: string) =>
      `これからは${san(name)}がまとめ役です。交代したことは、チャットでメンバー全員に表示されます。`,
    confirmHelpForOwner: (name: string) =>
      `これからは${san(name)}がまとめ役になり、あなたはほかの人と同じメンバーになります。交代したことは、チャットでメンバー全員に表示されます。`,
    more: 'その他',
    close: '閉じる',
  },
})

export const pictureText = defineTexts({
  en: {
    title: (group: string) => `Picture of ${group}`,
    help: 'Only the members of the group and admins can see it.',
    choose: 'Choose a picture',
    remove: 'Remove picture',
    saved: 'The picture of the group was changed.',
    removed: 'The picture of the group was removed.',
    close: 'Close',
  },
  ja: {
    title: (group: string) => `「${group}」の画像`,
    help: '画像を見られるのは、グループのメンバーと管理者だけです。',
    choose: '画像を選ぶ',
    remove: '画像を削除',
    saved: 'グループの画像を変更しました。',
    removed: 'グループの画像を削除しました。',
    close: '閉じる',
  },
})

/** For example “30 seconds”, “5 minutes”, “1 hour”. */
function formatSpan(seconds: number) {
  const [size, word] = seconds < 60 ? [1, 'second'] : seconds < 3600 ? [60, 'minute'] : [3600, 'hour']
  const n = seconds / Number(size)
  return `${n} ${word}${pluralSuffix(n)}`
}
const formatSpanInJapanese = (seconds: number) =>
  seconds < 60 ? `${seconds}秒` : seconds < 3600 ? `${seconds / 60}分` : `${seconds / 3600}時間`

/** For example “0:07”. */
const formatRest = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

export const slowModeText = defineTexts({
  en: {
    title: 'Slow mode',
    help: 'Everybody except admins and the owner of the group waits this long between two messages.',
    time: 'Time between two messages',
    save: 'Save',
    cancel: 'Cancel',
    choice: (seconds: number) => (seconds ? formatSpan(seconds) : 'Off'),
    note: (seconds: number) => `Slow mode: one message every ${formatSpan(seconds)}.`,
    noteForManager: (seconds: number) =>
      `Slow mode: members wait ${formatSpan(seconds)} between messages. You do not.`,
    rest: (seconds: number) => `You can send your next message in ${formatRest(seconds)}.`,
  },
  ja: {
    title: '連続送信の制限',
    help: '1件送ったあと、次を送れるまでの時間です。管理者とグループのまとめ役には、制限がありません。',
    time: 'メッセージの間隔',
    save: '保存',
    cancel: 'キャンセル',
    choice: (seconds: number) => (seconds ? formatSpanInJapanese(seconds) : 'オフ'),
    note: (seconds: number) =>
      `連続送信の制限中：メッセージは${formatSpanInJapanese(seconds)}に1件までです。`,
    noteForManager: (seconds: number) =>
      `連続送信の制限中：メンバーは${formatSpanInJapanese(seconds)}に1件まで送れます（あなたは制限されません）。`,
    rest: (seconds: number) => `次のメッセージはあと${formatRest(seconds)}で送れます。`,
  },
})

export const writersText = defineTexts({
  en: {
    title: 'Who may write',
    help: 'Everybody in the group reads. The owner and admins always write.',
    who: 'Messages come from',
    all: 'All members',
    chosen: 'Only the people chosen here',
    people: 'These people write too',
    more: 'More members',
    save: 'Save',
    cancel: 'Cancel',
  },
  ja: {
    title: 'メッセージを送れる人',
    help: '読むのは、メンバー全員ができます。まとめ役と管理者は、いつでも送れます。',
    who: '送れる人',
    all: 'メンバー全員',
    chosen: '決めた人だけ',
    people: 'ほかに送れる人',
    more: 'さらに表示',
    save: '保存',
    cancel: 'キャンセル',
  },
})
