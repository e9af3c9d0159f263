import { Copy, Download, Printer } from 'lucide-react'
import { copyText } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PrintSheet } from './PrintSheet.tsx'
import { accountPageText } from './text.ts'

interface Props {
  codes: readonly string[]
  /** On the printed sheet and in the downloaded file. */
  account: string
  onSaved: () => void
}

export function RecoveryCodeList({ codes, account, onSaved }: Props) {
  const t = useText(accountPageText)
  const title = t.codesFileTitle(location.host)
  const copy = () =>
    copyText(codes.join('\n')).then(
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

function downloadText(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  link.download = name
  link.click()
  // The browser has saved the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
