import { defineTexts } from '#web/i18n.ts'

export const currentUserText = defineTexts({
  en: {
    currentUser: 'Current user',
    about: 'A test: asks the server who is logged in, and shows the response unchanged.',
    fetch: 'Fetch the current user',
    record: 'User record',
  },
  ja: {
    currentUser: 'ログイン中のメンバー',
    about: 'テスト用です。ログインしているのはだれかをサーバーに尋ね、届いた答えをそのまま表示します。',
    fetch: 'ログイン中のメンバーを調べる',
    record: '届いた内容',
  },
})
