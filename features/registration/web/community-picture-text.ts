import { defineTexts } from '#web/i18n.ts'

export const communityPictureText = defineTexts({
  en: {
    picture: 'Picture of the community (optional)',
    pictureHelp:
      'Shown at the log-in, at the registration, and on the home screens of phones. If only members may read, strangers do not see it.',
    choosePicture: 'Choose a picture',
    chosenPicture: 'The picture of the community',
    removePicture: 'Remove the picture',
    pictureSaved: 'Picture saved.',
    pictureRemoved: 'Picture removed.',
    pictureNotSaved:
      'The picture of the community could not be saved. You can choose it again in the settings.',
  },
  ja: {
    picture: 'コミュニティーの画像（任意）',
    pictureHelp:
      'ログインと登録のページ、スマートフォンのホーム画面に表示されます。閲覧できる人がメンバーだけの場合、ほかの人には表示されません。',
    choosePicture: '画像を選ぶ',
    chosenPicture: 'コミュニティーの画像',
    removePicture: '画像を削除',
    pictureSaved: '画像を保存しました。',
    pictureRemoved: '画像を削除しました。',
    pictureNotSaved: 'コミュニティーの画像を保存できませんでした。設定でもう一度選べます。',
  },
})
