import { Copy, Download, Printer } from 'lucide-react'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PrintSheet } from './PrintSheet.tsx'
import { accountPageText } from './text.ts'

interface ListProps {
  codes: readonly string[]
  /**
   * The e-mail address or the handle of the account, which the printed sheet and the downloaded file show.
   */
  account: string
  onSaved: () => void
}

/** Renders new recovery codes, with buttons that copy, print and download them. */
export function RecoveryCodeList({ codes, account, onSaved }: ListProps) {
  const t = useText(accountPageText)
  const title = t.codesFileTitle(location.host)
  const copy = () =>
    copyTextToClipboard(codes.join('\n')).then(
      () => showToast(t.copied, { key: 'codes' }),
      () => showToast(t.copyFailed, { key: 'codes', kind: 'error' }),
    )
  return (
    <div className="recovery-codes">
      <Notice kind="warning">{t.codesShownOnce}</Notice>
      <ul className="recovery-code-list" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="form-actions">
        <Button icon={Copy} onClick={copy}>
          {t.copy}
        </Button>
        <Button icon={Printer} onClick={() => print()}>
          {t.print}
        </Button>
        <Button
          icon={Download}
          onClick={() => downloadText('recovery-codes.txt', [title, account, '', ...codes, ''].join('\n'))}
        >
          {t.download}
        </Button>
        <Button kind="primary" onClick={onSaved}>
          {t.codesSaved}
        </Button>
      </div>
      <PrintSheet>
        <h1>{title}</h1>
        <p>{account}</p>
        <ul>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </PrintSheet>
    </div>
  )
}

/** Saves a text as a file on the member's device. `name` is the name of the file. */
function downloadText(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  link.download = name
  link.click()
  // Frees the object URL after a second, because the browser has saved the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
