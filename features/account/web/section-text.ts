import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const blockedText = defineTexts({
  en: {
    title: 'Blocked people',
    help: 'You and these people do not see each other. To block somebody, open the menu on their page.',
    nobody: 'You have blocked nobody.',
    since: 'Blocked ',
    remove: 'Unblock',
    removePerson: (name: string) => `Unblock ${name}`,
    removed: (name: string) => `You and ${name} can see each other again.`,
    loadMore: 'Load more',
  },
  ja: {
    title: 'ブロックした人',
    help: 'ブロックした人とは、お互いの投稿やプロフィールが見えません。ブロックは、相手のページのメニューからできます。',
    nobody: 'ブロックした人はいません。',
    since: 'ブロックした日時：',
    remove: '解除',
    removePerson: (name: string) => `${san(name)}のブロックを解除`,
    removed: (name: string) => `${san(name)}のブロックを解除しました。`,
    loadMore: 'もっと見る',
  },
})

export const mutedText = defineTexts({
  en: {
    title: 'Muted people',
    help: 'You see less of these people, and they do not notice it. To mute somebody, open the menu on their page.',
    nobody: 'You have muted nobody.',
    since: 'Muted ',
    remove: 'Unmute',
    removePerson: (name: string) => `Unmute ${name}`,
    removed: (name: string) => `You see what ${name} writes again.`,
    loadMore: 'Load more',
  },
  ja: {
    title: 'ミュートした人',
    help: 'ミュートした人の投稿は一覧に出なくなり、グループのメッセージは折りたたまれます。相手にはわかりません。ミュートは、相手のページのメニューからできます。',
    nobody: 'ミュートした人はいません。',
    since: 'ミュートした日時：',
    remove: '解除',
    removePerson: (name: string) => `${san(name)}のミュートを解除`,
    removed: (name: string) => `${san(name)}のミュートを解除しました。`,
    loadMore: 'もっと見る',
  },
})

export const installText = defineTexts({
  en: {
    title: 'Use as an app',
    help: 'As an app, the site has its own window and its own icon beside your other apps.',
    install: 'Install the app',
    hint: 'Open this site from your home screen, like an app.',
    hideHint: 'Hide this hint',
    iphone: 'On an iPhone or iPad: tap Share, then “Add to Home Screen”.',
    mac: 'In Safari on a Mac: open the menu “File”, then “Add to Dock”.',
    android: 'Open the menu of the browser, then “Install” or “Add to Home screen”.',
    menu: 'If this browser can install sites as apps, its menu has an entry “Install”, sometimes under “Save and share” or “Apps”.',
    insecure:
      'Installing needs a secure address (https). This page has none, so browsers do not allow it. Ask the person who runs this site.',
  },
  ja: {
    title: 'アプリとして使う',
    help: 'ホーム画面などに追加すると、ほかのアプリと同じように、アイコンから開けます。',
    install: 'アプリをインストール',
    hint: 'ホーム画面に追加すると、アプリのようにすぐ開けます。',
    hideHint: 'この案内を閉じる',
    iphone: 'iPhoneやiPadでは、共有ボタン（四角から上向きの矢印）を押し、「ホーム画面に追加」を選びます。',
    mac: 'MacのSafariでは、「ファイル」メニューから「Dockに追加」を選びます。',
    android: 'ブラウザーのメニューから「インストール」または「ホーム画面に追加」を選びます。',
    menu: 'このブラウザーがアプリの追加に対応している場合は、メニューに「インストール」があります（「保存して共有」や「アプリ」の中にあることもあります）。',
    insecure:
      'このサイトはhttpsではないため、アプリとして追加できません。サーバーの運営者にお問い合わせください。',
  },
})
