import '#web/styles.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/App.tsx'
import { ApiError } from '#web/api.ts'
import { markServerReachable, markServerUnreachable } from '#web/connection.ts'
import { hideKeptPages } from '#web/me.ts'
import { probeServerAndDetectNewAppVersion } from '#web/new-version.ts'
import { initialPageData } from '#web/page-data.ts'
import { registerServiceWorkerForOfflineFiles } from '#web/service-worker-client.ts'
import { applyTheme } from '#web/settings.ts'
import { findPageDefinitionAtPath, loadViewComponentsOfPage, prefetchAllViewComponents } from '#web/views.tsx'

const IDLE = 2000
const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)
const watchConnection = {
  onSuccess: markServerReachable,
  onError: (error: unknown) =>
    error instanceof ApiError && error.status === 0 ? markServerUnreachable() : markServerReachable(),
}
const client = new QueryClient({
  queryCache: new QueryCache(watchConnection),
  mutationCache: new MutationCache(watchConnection),
  defaultOptions: {
    queries: {
      // Lets requests without a network fail with an error. By default they would wait for the network, and
      // the user would see no message.
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
  applyTheme(initialPageData.theme)
  const page = initialPageData.status < 500 ? findPageDefinitionAtPath(location.pathname) : undefined
  // Ignores that the code of the page failed to load, because an error page appears when React renders the
  // page.
  if (page) await loadViewComponentsOfPage(page).catch(() => {})
  const root = createRoot(document.getElementById('app')!)
  // Renders the app in a transition: React then works in small steps, and the browser can do other work in
  // between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <App />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
  setTimeout(() => prefetchAllViewComponents().then(registerServiceWorkerForOfflineFiles), IDLE)
}

// Asks for the server's version when a script or style sheet that is loaded later cannot be loaded, because
// an update of the server may have removed the files of the old version. Vite dispatches this event then.
addEventListener('vite:preloadError', () => void probeServerAndDetectNewAppVersion())
hideKeptPages()
start()
