import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const postComposerText = defineTexts({
  en: {
    prompt: 'What did you see today?',
    retry: 'Retry',

    newPost: 'New Post',
    textOfPost: 'Text of the post',
    addPictures: 'Add pictures',
    picturesOf: (n: number, most: number) => `${n} of ${most}`,
    picturesOfSpoken: (n: number, most: number) => `${n} of ${most} pictures`,
    charactersLeft: (n: number) =>
      n < 0 ? `${-n} character${pluralSuffix(-n)} too many` : `${n} character${pluralSuffix(n)} left`,
    post: 'Post',
    notAdded: (n: number, most: number) =>
      `${n} picture${pluralSuffix(n)} ${n === 1 ? 'was' : 'were'} not added (limit ${most})`,
    tooManyPictures: (n: number, most: number) =>
      most
        ? `Too many pictures: please remove ${n} (limit ${most}).`
        : 'Pictures are turned off. Please remove them.',
    notPicture: (name: string) =>
      `“${name}” cannot be used. Please choose JPEG, PNG, GIF, WebP, AVIF or HEIC.`,
    notReadable: (name: string) =>
      `“${name}” is damaged, or this browser cannot read it. Try to save it as JPEG.`,
    tooLarge: (name: string, mb: number) =>
      `“${name}” is larger than ${mb} MB, and animated pictures cannot be made smaller here.`,
    becomesStill: (name: string) =>
      `“${name}” will not move: only its first image is shown. GIF and WebP move.`,
    pictureList: 'Pictures of this post',
    picture: (position: number) => `picture ${position}`,
    addAlt: (what: string) => `Add a description of ${what}`,
    editAlt: (what: string) => `Edit the description of ${what}`,
    remove: (what: string) => `Remove ${what}`,
    moveEarlier: (what: string) => `Move ${what} earlier`,
    moveLater: (what: string) => `Move ${what} later`,
    moved: (position: number, of: number) => `Moved to position ${position} of ${of}`,
    removed: 'Picture removed',
    uploading: 'Uploading',
    describe: 'Describe this picture',
    describeHelp: 'For people who cannot see it: who or what it shows, where, and any text in it.',
    description: 'Description',
    described: 'Described ✓',
    addDescription: 'Describe',
    save: 'Save',
    cancel: 'Cancel',
    missingDescriptions: (n: number) =>
      n === 1 ? 'One picture has no description' : `${n} pictures have no description`,
    missingDescriptionsHelp: 'People who cannot see pictures rely on descriptions.',
    addDescriptions: 'Add descriptions',
    postAnyway: 'Post anyway',
    remindMe: 'Remind me before I post',
    posted: 'Post submitted successfully.',
    postedTranslation: '投稿しました。',
    draftSaved: 'Saved as a draft. Pictures and files are on this device only.',
    draftNotSaved: 'This draft could not be saved on this device.',
    shortcutHint: (key: string) => `Press ${key} + Enter to post.`,
    discard: 'Discard draft',
    discardAsk: 'Discard this draft?',
    discardHelp: 'Its text and pictures are deleted from this device.',
    keepWriting: 'Keep writing',
  },
  ja: {
    prompt: '今日は何がありましたか？',
    retry: 'もう一度試す',

    newPost: '新しい投稿',
    textOfPost: '投稿の本文',
    addPictures: '画像を追加',
    picturesOf: (n: number, most: number) => `${n} / ${most}枚`,
    picturesOfSpoken: (n: number, most: number) => `画像：${most}枚中${n}枚`,
    charactersLeft: (n: number) => (n < 0 ? `${-n}文字超えています` : `残り${n}文字`),
    post: '投稿する',
    notAdded: (n: number, most: number) => `${n}枚の画像は追加されませんでした（${most}枚まで）`,
    tooManyPictures: (n: number, most: number) =>
      most
        ? `画像は${most}枚までです。${n}枚外してください。`
        : 'このコミュニティーでは画像を使えなくなりました。画像を外してください。',
    notPicture: (name: string) =>
      `「${name}」は使えません。JPEG、PNG、GIF、WebP、AVIF、HEICのいずれかの画像を選んでください。`,
    notReadable: (name: string) =>
      `「${name}」を読み込めません。JPEG形式で保存し直してから、お試しください。`,
    tooLarge: (name: string, mb: number) =>
      `「${name}」は${mb}MBを超えています。動く画像（GIFなど）は、ここでは小さくできません。`,
    becomesStill: (name: string) =>
      `「${name}」は動きません。最初の1コマだけが表示されます。動かすには、GIFかWebPにしてください。`,
    pictureList: 'この投稿の画像',
    picture: (position: number) => `${position}枚目の画像`,
    addAlt: (what: string) => `${what}の説明を追加`,
    editAlt: (what: string) => `${what}の説明を編集`,
    remove: (what: string) => `${what}を外す`,
    moveEarlier: (what: string) => `${what}を前へ移動`,
    moveLater: (what: string) => `${what}を後ろへ移動`,
    moved: (position: number, of: number) => `${of}枚中${position}番目に移動しました`,
    removed: '画像を外しました',
    uploading: 'アップロード中',
    describe: 'この画像の説明',
    describeHelp: '画像が見えない人のために、写っている人や物、場所、画像内の文字などを書いてください。',
    description: '説明',
    described: '説明あり ✓',
    addDescription: '説明を書く',
    save: '保存',
    cancel: 'キャンセル',
    missingDescriptions: (n: number) => `説明のない画像が${n}枚あります`,
    missingDescriptionsHelp: '説明があると、画像が見えない人にも内容が伝わります。',
    addDescriptions: '説明を書く',
    postAnyway: 'このまま投稿',
    remindMe: '投稿する前に知らせる',
    posted: 'Post submitted successfully.',
    postedTranslation: '投稿しました。',
    draftSaved: '下書きを保存しました（写真とファイルはこの端末だけ）。',
    draftNotSaved: '下書きをこの端末に保存できませんでした。',
    shortcutHint: (key: string) => `${key}+Enterで投稿できます。`,
    discard: '下書きを破棄',
    discardAsk: '下書きを破棄しますか？',
    discardHelp: '本文と画像がこの端末から削除されます。',
    keepWriting: '書き続ける',
  },
})
