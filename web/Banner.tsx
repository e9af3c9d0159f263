import { RotateCw, Wifi, WifiOff } from 'lucide-react'
import { retryConnection, useConnectionState } from '#web/connection.ts'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { Icon } from '#web/ui/Icon.tsx'

const icons = { reconnecting: RotateCw, offline: WifiOff, back: Wifi }

/** Says when the connection to the server is lost, and when it is back. */
export function Banner() {
  const say = useText(shellText)
  const state = useConnectionState()
  return (
    <div className="line" role="status">
      {state !== 'fine' && (
        <div className="banner" data-kind={state}>
          <Icon of={icons[state]} size="s" />
          {say[state]}
          {state === 'offline' && (
            <button type="button" onClick={retryConnection}>
              {say.retry}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
