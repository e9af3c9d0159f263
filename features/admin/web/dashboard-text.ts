import { defineTexts } from '#web/i18n.ts'

export const dashboardText = defineTexts({
  en: {
    waiting: 'Waiting for you',
    nothing: 'Nothing waits for you.',
    open_reports: (n: number) =>
      n === 1 ? '1 report waits for a decision' : `${n} reports wait for a decision`,
    waiting_requests: (n: number) => (n === 1 ? '1 person asks to join' : `${n} people ask to join`),
    unverified_addresses: (n: number) =>
      n === 1 ? '1 email address is not confirmed' : `${n} email addresses are not confirmed`,
    people: 'People',
    community: 'Community',
    server: 'Server',
    turn: 'The year’s turn',
    about: {
      turn: 'Groups go on under a new name, or end',
      users: (n: number | undefined) =>
        n === undefined ? 'Rights, codes, suspensions' : `${n.toLocaleString('en')}, with rights and codes`,
      newMembers: 'Invitations, requests, lists',
      reports: 'What members reported',
      settings: 'Name, look, who comes in',
      health: 'Mail, backups, storage',
      log: 'What admins did',
    },
  },
  ja: {
    waiting: '対応待ち',
    nothing: '今、対応が必要なものはありません。',
    open_reports: (n: number) => `問題の報告が${n}件あります`,
    waiting_requests: (n: number) => `参加の申し込みが${n}件あります`,
    unverified_addresses: (n: number) => `未確認のメールアドレスが${n}件あります`,
    people: 'メンバー',
    community: 'コミュニティー',
    server: 'サーバー',
    turn: '年度替わり',
    about: {
      turn: 'グループを新しい名前で続ける、または終了する',
      users: (n: number | undefined) =>
        n === undefined ? '権限やコード、利用停止' : `${n.toLocaleString('ja')}人。権限やコード、利用停止`,
      newMembers: '招待、申し込み、名簿',
      reports: 'メンバーからの報告',
      settings: '名前、見た目、参加のしかた',
      health: 'メール、バックアップ、空き容量',
      log: '管理者がしたこと',
    },
  },
})
