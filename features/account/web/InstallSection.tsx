import { Download } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { isAppleMobileDevice, useInstallPrompt, useIsInstalled } from '#web/install-prompt.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { AccountCard } from './AccountCard.tsx'
import { installText } from './install-text.ts'

/** Returns the way in which this browser installs a site, if it offers no dialog for that. */
function findInstallWay(): 'iphone' | 'mac' | 'android' | 'menu' {
  const { userAgent } = navigator
  if (isAppleMobileDevice()) return 'iphone'
  if (/Macintosh.*Safari/.test(userAgent) && !/Chrom/.test(userAgent)) return 'mac'
  return /Android/.test(userAgent) ? 'android' : 'menu'
}

/**
 * The section that installs the site as an app: with a button where the browser has a dialog for it, else
 * with the way through the browser's menu. Shows nothing if the app is installed.
 */
export function InstallSection() {
  const t = useText(installText)
  const install = useInstallPrompt()
  if (useIsInstalled()) return null
  return (
    <AccountCard id="install" title={t.title} help={t.help}>
      {install ? (
        <div className="form-actions">
          <Button icon={Download} onClick={install}>
            {t.install}
          </Button>
        </div>
      ) : window.isSecureContext ? (
        <p>{t[findInstallWay()]}</p>
      ) : (
        <Notice kind="warning">{t.insecure}</Notice>
      )}
    </AccountCard>
  )
}
