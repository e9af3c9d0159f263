import { defineTexts } from '#web/i18n.ts'

export const currentUserSamplePageText = defineTexts({
  en: {
    currentUser: 'Current user',
    about: 'A test: asks the server who is logged in, and shows the response unchanged.',
    fetch: 'Fetch the current user',
    record: 'User record',
  },
  ja: {
    currentUser: '現在のユーザー',
    about: 'テスト用です。ログインしているのは誰かをサーバーに尋ね、届いた答えをそのまま表示します。',
    fetch: '現在のユーザーを取得',
    record: '取得した内容',
  },
})
