import { formatBytes } from '#core/text/format-bytes.ts'
import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const lookText = defineTexts({
  en: {
    accentColour: 'Colour',
    accentHelp:
      'The colour of buttons and links. It becomes darker or lighter where texts would be hard to read.',
    green: 'Green',
    indigo: 'Indigo',
    madder: 'Red',
    chestnut: 'Brown',
    moss: 'Moss',
    wisteria: 'Violet',
    slate: 'Blue',
    ownColour: 'Your own',
    chooseColour: 'Your colour',
    saveColour: 'Use this colour',
    light: 'Light',
    dark: 'Dark',
    sampleButton: 'Button',
    sampleText: 'A link',
    contrast: (ratio: string) => `Contrast ${ratio} : 1`,
  },
  ja: {
    accentColour: '色',
    accentHelp: 'ボタンとリンクの色です。文字が読みにくくなる場合は、自動で濃く、または明るくします。',
    green: '緑',
    indigo: '藍',
    madder: '茜',
    chestnut: '栗',
    moss: '苔',
    wisteria: '藤',
    slate: '青',
    ownColour: '自分で選ぶ',
    chooseColour: '選んだ色',
    saveColour: 'この色にする',
    light: '明るい画面',
    dark: '暗い画面',
    sampleButton: 'ボタン',
    sampleText: 'リンク',
    contrast: (ratio: string) => `コントラスト比 ${ratio}:1`,
  },
})

export const quietHoursText = defineTexts({
  en: {
    title: 'Quiet hours',
    help: 'During these hours, no member’s device gets a notification. What has waited comes as one notification at the end. Members can choose hours of their own, too.',
    zone: (zone: string) => `The hours are in the community’s time zone, ${zone}. It can be changed above.`,
    none: 'There are no quiet hours.',
    from: 'From',
    to: 'To',
    save: 'Save quiet hours',
    end: 'Turn off quiet hours',
  },
  ja: {
    title: 'おやすみ時間',
    help: 'この時間帯は、メンバーの端末に通知しません。その間の通知は、終わったあとに1件にまとめて届きます。メンバーは、自分のおやすみ時間も決められます。',
    zone: (zone: string) =>
      `時刻は、このコミュニティーのタイムゾーン（${zone}）です。上の「言語と時刻」で変えられます。`,
    none: 'おやすみ時間は設定されていません。',
    from: '開始',
    to: '終了',
    save: '保存',
    end: 'オフにする',
  },
})

export const exampleText = defineTexts({
  en: {
    help: 'Three invented people with posts and a group show how the community looks with people in it. They cannot log in, and you can remove all of them at once.',
    exist:
      'There are examples. If you remove them, what members wrote to them stays, as after the deletion of an account.',
    fillIn: 'Fill in examples',
    remove: 'Remove the examples',
    created: 'The examples are there.',
    removed: 'The examples are removed.',
  },
  ja: {
    help: '架空の3人と、その投稿とグループを入れて、使い始めたときの様子を試せます。3人がログインすることはありません。あとで、まとめて削除できます。',
    exist: '見本が入っています。削除しても、メンバーから見本の人へのメッセージは残ります。',
    fillIn: '見本を入れる',
    remove: '見本を削除',
    created: '見本を入れました。',
    removed: '見本を削除しました。',
  },
})

export const groupSettingsText = defineTexts({
  en: {
    whoCanCreateGroups: 'Who can create groups',
    admins: 'Admins',
    adminsHelp: 'Only admins create groups. Members keep the groups that they own, and manage them.',
    members: 'All members',
    membersHelp: (max: number) =>
      `Each member can own ${max} groups, and adds and removes the members of these groups. Admins manage all groups.`,
  },
  ja: {
    whoCanCreateGroups: 'グループを作成できる人',
    admins: '管理者',
    adminsHelp:
      'グループを作成できるのは管理者だけです。すでにメンバーが作成したグループは、引き続きその人が管理できます。',
    members: 'メンバー全員',
    membersHelp: (max: number) =>
      `メンバーは1人${max}個までグループを作れ、参加者を追加したり外したりできます。管理者は、すべてのグループを管理できます。`,
  },
})

export const linkSettingsText = defineTexts({
  en: {
    linkPreviews: 'Show previews of links',
    aboutLinkPreviews:
      'Your server visits the links that members write: the first one of each post, reply and message, also in private chats. The visited site sees the address of your server, not who wrote the link. The preview has the title and a description, but no picture. Authors can remove it. Off, the server visits no page and shows no previews.',
  },
  ja: {
    linkPreviews: 'リンクのプレビューを表示する',
    aboutLinkPreviews:
      'リンク先のページの題名と説明を、リンクの下に表示します（画像なし）。ページを読みに行くのはこのサーバーで、相手のサイトに伝わるのはサーバーのアドレスだけです。だれが書いたかは伝わりません。個別チャットのリンクも対象です。表示は、書いた本人が消せます。',
  },
})

export const limitSettingsText = defineTexts({
  en: {
    postLength: 'Length of a post',
    postLengthHelp: 'Posts that exist stay as they are.',
    characters: (n: number) => `${n.toLocaleString('en')} characters`,
    pictures: 'Pictures in a post, reply or message',
    picturesHelp: 'Posts and messages that exist keep their pictures.',
    countPictures: (n: number) => (n ? `${n} picture${pluralSuffix(n)}` : 'No pictures'),
    pictureSize: 'Size of a picture',
    pictureSizeHelp:
      'Browsers make larger photos smaller before they send them. Larger animations are refused.',
    megabytes: (n: number) => (n ? `${n} MB` : 'No limit'),
    bytes: (n: number) => (n ? formatBytes(n * 1e6, 'en') : 'No limit'),
    storage: 'Pictures of a member together',
    storageHelp:
      'Nothing is deleted. Members above the limit add no more pictures until they have deleted some.',
    members: 'Members of a group',
    membersHelp: 'Larger groups keep their members. Nobody can be added to a full group, also by admins.',
    countMembers: (n: number) => (n ? `${n} members` : 'No limit'),
  },
  ja: {
    postLength: '投稿の長さ',
    postLengthHelp: 'すでにある投稿は変わりません。',
    characters: (n: number) => `${n.toLocaleString('ja')}文字まで`,
    pictures: '1件に付けられる画像の数',
    picturesHelp: 'すでにある投稿やメッセージの画像は変わりません。',
    countPictures: (n: number) => (n ? `${n}枚まで` : '画像なし'),
    pictureSize: '1枚の画像の大きさ',
    pictureSizeHelp: '大きすぎる写真は、送る前に自動で小さくします。大きすぎる動く画像は送れません。',
    megabytes: (n: number) => (n ? `${n}MBまで` : '上限なし'),
    bytes: (n: number) => (n ? `${formatBytes(n * 1e6, 'ja')}まで` : '上限なし'),
    storage: '1人が保存できる画像の合計',
    storageHelp:
      '画像は削除されません。上限を超えているメンバーは、画像を削除するまで新しい画像を追加できません。',
    members: 'グループのメンバー',
    membersHelp:
      'すでに上限を超えているグループは、そのままです。上限に達したグループには、管理者も追加できません。',
    countMembers: (n: number) => (n ? `${n}人まで` : '上限なし'),
  },
})

export const emojiText = defineTexts({
  en: {
    label: 'Emoji for reactions',
    hint: (min: number, max: number) =>
      `${min} to ${max} emoji, in the order of the buttons. Members can add them to posts, replies and messages. Reactions that exist stay.`,
    save: 'Save emoji',
    wrongCount: (min: number, max: number, count: number) =>
      `The field “Emoji for reactions” needs ${min} to ${max} emoji; it has ${count}.`,
    noEmoji: (wrong: string) => `The field “Emoji for reactions” has “${wrong}”, which is not an emoji.`,
    twice: (emoji: string) => `The field “Emoji for reactions” has ${emoji} twice.`,
  },
  ja: {
    label: 'リアクションの絵文字',
    hint: (min: number, max: number) =>
      `${min}〜${max}個。この順番でボタンが並びます。投稿、返信、メッセージに付けられます。すでに付いたリアクションは残ります。`,
    save: '絵文字を保存',
    wrongCount: (min: number, max: number, count: number) =>
      `「リアクションの絵文字」は${min}〜${max}個にしてください（今は${count}個）。`,
    noEmoji: (wrong: string) => `「リアクションの絵文字」の「${wrong}」は絵文字ではありません。`,
    twice: (emoji: string) => `「リアクションの絵文字」に${emoji}が2回あります。`,
  },
})
