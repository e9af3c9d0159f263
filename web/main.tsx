import '#web/styles.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/App.tsx'
import { ApiError } from '#web/api.ts'
import { markReachable, markUnreachable } from '#web/connection.ts'
import { hideKeptPages } from '#web/me.ts'
import * as newVersion from '#web/new-version.ts'
import { pageData } from '#web/page-data.ts'
import * as serviceWorker from '#web/service-worker-client.ts'
import { applyTheme } from '#web/settings.ts'
import { findPage, loadPage, prefetchViews } from '#web/views.tsx'

const IDLE = 2000
const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)
const watchConnection = {
  onSuccess: markReachable,
  onError: (error: unknown) =>
    error instanceof ApiError && error.status === 0 ? markUnreachable() : markReachable(),
}
const client = new QueryClient({
  queryCache: new QueryCache(watchConnection),
  mutationCache: new MutationCache(watchConnection),
  defaultOptions: {
    queries: {
      // By default requests would wait for the network, and the user would see no message.
      networkMode: 'always',
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && isTransient(error),
    },
    mutations: { networkMode: 'always' },
  },
})

async function start() {
  document.getElementById('picture')?.setAttribute('rel', 'preload')
  applyTheme(pageData.theme)
  const page = pageData.status < 500 ? findPage(location.pathname) : undefined
  // An error page appears when React renders the page.
  if (page) await loadPage(page).catch(() => {})
  const root = createRoot(document.getElementById('app')!)
  // In a transition React works in small steps, and the browser can do other work in between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <App />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
  setTimeout(() => {
    void import('#web/late.ts').catch(() => {})
    prefetchViews().then(serviceWorker.registerOffline)
  }, IDLE)
}

// Vite's event for a script or style sheet that cannot be loaded: an update may have removed the old
// version's files.
addEventListener('vite:preloadError', () => void newVersion.probe())
hideKeptPages()
start()
