import { RotateCw, Wifi, WifiOff } from 'lucide-react'
import { retryConnection, useConnectionState } from '#web/connection.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Icon } from '#web/ui/Icon.tsx'

const icons = { reconnecting: RotateCw, offline: WifiOff, back: Wifi }

/** The line to the server, when it is worth a word. */
export function Banner() {
  const say = useText(shellText)
  const line = useConnectionState()
  return (
    <div className="line" role="status">
      {line !== 'fine' && (
        <div className="banner" data-kind={line}>
          <Icon of={icons[line]} size="s" />
          {say[line]}
          {line === 'offline' && (
            <button type="button" onClick={retryConnection}>
              {say.retry}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
