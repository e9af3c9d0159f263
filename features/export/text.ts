import type { Language } from '#core/contract.ts'
import { san } from '#core/text/honorific.ts'

export const archiveTexts = {
  en: {
    title: (name: string, app: string) => `${name} on ${app}`,
    start: 'Start page',
    made: (time: string, zone: string) => `Archive made on ${time}. All times are in the time zone ${zone}.`,
    navigation: 'Pages',
    navigationAtEnd: 'Pages, at the end',
    months: 'Go to a month',
    allPages: (count: number) => `All ${count} pages`,
    about:
      'This archive has everything that you wrote on this site, and the messages that you could still read when it was made. It needs no network. The folder “data” has the same records as JSON, and README.txt describes the files.',
    items: (count: number) => (count === 1 ? '1 item' : `${count.toLocaleString('en')} items`),
    page: (number: number) => `Page ${number}`,
    previous: 'Previous page',
    next: 'Next page',
    noDescription: 'Picture',
    gone: 'This picture no longer exists.',
    goneFile: 'this file no longer exists',
  },
  ja: {
    title: (name: string, app: string) => `${app}：${san(name)}のデータ`,
    start: '最初のページ',
    made: (time: string, zone: string) => `${time}に作成しました。日時はすべて${zone}の時刻です。`,
    navigation: 'ページの移動',
    navigationAtEnd: 'ページの移動（下）',
    months: '月へ移動する',
    allPages: (count: number) => `全${count}ページ`,
    about:
      'このデータの控えには、あなたがこのサイトに書いたものと、作成した時点で読めたメッセージが、すべて入っています。インターネットにつながっていなくても読めます。同じ内容のJSONは「data」フォルダーにあり、説明はREADME.txtにあります。',
    items: (count: number) => `${count.toLocaleString('ja')}件`,
    page: (number: number) => `${number}ページ`,
    previous: '前のページ',
    next: '次のページ',
    noDescription: '画像',
    gone: 'この画像はもうありません。',
    goneFile: 'このファイルは、もうありません',
  },
} satisfies Record<Language, object>

/** README.txt. */
export const archiveReadme = `Open index.html in any browser. It needs no network.

index.html          your profile, and links to everything else
*.html, chats/      posts, likes, chats and the rest; long lists have several pages
pictures/           the pictures of the pages, in the largest size that was stored
files/              the other files of messages
data/index.json     the list of all files; "missing" names pictures and files that no longer existed
data/*.json         the same records as JSON: one array in each file, times in UTC (ISO 8601)

Passwords are not in the archive: only hashes of them are stored.

index.html をブラウザーで開いてください。ネットワークは必要ありません。

index.html          あなたのプロフィールと、ほかのすべてのページへのリンク
*.html、chats/      投稿、いいね、チャットなど。長い一覧は数ページに分かれています
pictures/           ページの画像（保存されている最も大きいサイズ）
files/              メッセージのそのほかのファイル
data/index.json     すべてのファイルの一覧。「missing」は、もう存在しなかった画像やファイルの名前です
data/*.json         同じ内容のJSON。各ファイルが1つの配列で、日時はUTC（ISO 8601）です

パスワードは入っていません。サーバーに保存されているのは、そのハッシュだけです。
`
