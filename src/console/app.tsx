/** The console's frame: who is signed in, where they may go, and the page that they are on. */
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { pagesOf, placeIn } from './pages.tsx';
import type { Session } from './session.ts';
import { session, signOut } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { texts } from './texts.ts';
import { Heading } from './ui/heading.tsx';

export function App() {
  const holder = session.value;
  return holder === undefined ? (
    <SignIn />
  ) : (
    <LocationProvider>
      <Frame holder={holder} />
    </LocationProvider>
  );
}

function Frame({ holder }: { readonly holder: Session }) {
  const pages = pagesOf(holder.role);
  return (
    <>
      <a class="skip" href="#content">
        {texts.skipToContent}
      </a>
      <header class="bar">
        <Navigation pages={pages} />
        <div class="holder">
          <span>{holder.name}</span>
          <button type="button" class="plain" onClick={signOut}>
            {texts.signOut}
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Router>
          {pages.map(({ path, page }) => (
            <Route key={path} path={path} component={page} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </main>
    </>
  );
}

function Navigation({ pages }: { readonly pages: ReturnType<typeof pagesOf> }) {
  const { path: here } = useLocation();
  const place = placeIn(pages, here);
  return (
    <nav aria-label={texts.nav.label}>
      <ul>
        {pages.flatMap(({ path, title }) =>
          title === undefined ? (
            []
          ) : (
            <li key={path}>
              <a href={path} aria-current={path === place?.path ? place.how : undefined}>
                {title}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

function NotFound() {
  return (
    <section>
      <Heading text={texts.notFound} />
      <a href="/">{texts.toStart}</a>
    </section>
  );
}
