import { defineTexts } from '#web/i18n.ts'

export const installAppText = defineTexts({
  en: {
    title: 'App on this device',
    help: 'As an app, the site has its own window and its own icon beside your other apps.',
    install: 'Install the app',
    iphone: 'On an iPhone or iPad: tap Share, then “Add to Home Screen”.',
    mac: 'In Safari on a Mac: open the menu “File”, then “Add to Dock”.',
    android: 'Open the menu of the browser, then “Install” or “Add to Home screen”.',
    menu: 'If this browser can install sites as apps, its menu has an entry “Install”, sometimes under “Save and share” or “Apps”.',
    insecure:
      'Installing needs a secure address (https). This page has none, so browsers do not allow it. Ask the person who runs this site.',
  },
  ja: {
    title: 'この端末のアプリ',
    help: 'アプリとして追加すると、専用のウィンドウで開き、ほかのアプリと同じようにアイコンから起動できます。',
    install: 'アプリをインストール',
    iphone: 'iPhoneやiPadでは、共有メニューから「ホーム画面に追加」を選びます。',
    mac: 'MacのSafariでは、「ファイル」メニューから「Dockに追加」を選びます。',
    android: 'ブラウザーのメニューから「インストール」または「ホーム画面に追加」を選びます。',
    menu: 'このブラウザーがアプリの追加に対応している場合は、メニューに「インストール」があります（「保存して共有」や「アプリ」の中にあることもあります）。',
    insecure:
      'インストールには安全なアドレス（https）が必要です。このページはhttpsではないため、ブラウザーが許可しません。サイトの運営者にお問い合わせください。',
  },
})
