// Words of other languages that interfaces are written in. Data alone: a word that English interfaces use with another meaning is
// left out, and one that may mean two things is the English word that may, so that a person is asked.

/** English words, each followed by those of German, French, Italian and Spanish that mean it. */
const words = `
project: projekt projekte projet projets proyecto proyectos progetto progetti
server: serveur serveurs servidor servidores
machine: maschine maschinen rechner maquina maquinas macchina macchine
instance: instanz instanzen instancia instancias istanza istanze
network: netz netze netzwerk netzwerke reseau reseaux red redes rete reti
public: oeffentlich oeffentliche oeffentlicher publique publiques publica publicas publico publicos pubblico pubblica pubblici pubbliche
private: privat privates privater prive privee privado privada privato privata privati
address: adresse adressen adresses direccion direcciones indirizzo indirizzi
port forward: portweiterleitung portweiterleitungen portfreigabe portfreigaben reenvio reenvios inoltro inoltri
forwarding: weiterleitung weiterleitungen
size: groesse groessen gabarit gabarits taille tamano tamanos taglia taglie dimensione dimensioni
image: abbild abbilder imagen imagenes immagine immagini
model: modele modeles modelo modelos modello modelli
template: vorlage vorlagen plantilla plantillas
operating system: betriebssystem betriebssysteme
system: systeme sistema
operating: operativo
tariff: tarif tarife tarifs tarifa tarifas tariffa tariffe
plan: planes piani
price: preis preise prix precio precios prezzo prezzi
currency: waehrung devise moneda valuta
period: zeitraum abrechnungszeitraum periode periodo
contract: vertrag vertraege contrat contrats contrato contratos contratto contratti
subscription: abonnement abonnements suscripcion suscripciones abbonamento abbonamenti
order: bestellung bestellungen commande commandes pedido pedidos ordine ordini
invoice: rechnung rechnungen facture factures factura facturas fattura fatture
operation: vorgang vorgaenge operacion operaciones operazione operazioni
job: trabajo trabajos
task: aufgabe aufgaben tache taches tarea tareas
backup: sicherung sicherungen datensicherung datensicherungen sauvegarde sauvegardes respaldo respaldos
copy: kopie kopien copie copia copias salvataggio salvataggi
key: schluessel cle cles clave claves llave llaves chiave chiavi
ssh key: sshschluessel
access key: zugangsschluessel zugriffsschluessel
access token: zugangstoken zugangstokens zugriffstoken zugriffstokens
token: jeton jetons ficha fichas gettone gettoni
notification: benachrichtigung benachrichtigungen mitteilung mitteilungen notificacion notificaciones notifica notifiche
account: konto konten benutzerkonto compte comptes cuenta cuentas
limit: grenze grenzen grenzwert grenzwerte limite limites limiti
quota: kontingent kontingente cuota cuotas
preference: preferencia preferencias preferenza preferenze
setting: einstellung einstellungen impostazione impostazioni
metric: messwert messwerte kennzahl kennzahlen metrique metriques metrica metricas metriche
renewal: verlaengerung renouvellement renovacion rinnovo
attachment: anbindung anbindungen rattachement rattachements
language: sprache langue idioma lingua
email: courriel correo
name: nom nombre nome
label: bezeichnung libelle etiqueta etichetta
state: zustand etat estado stato
status: statut
power state: betriebszustand alimentation energia alimentazione
cpu: prozessor prozessoren processeur processeurs procesador procesadores processore processori
core: kern kerne coeur coeurs nucleo nucleos nuclei
memory: arbeitsspeicher hauptspeicher memoire memoria
disk: festplatte disque disco
created: erstellt cree creee creado creada creato creata
creation: erstellung creacion
at: am le il
date: datum fecha
ended: beendet
end: ende fin
finished: terminado terminada
completed: abgeschlossen termine terminee completado completada completato completata
started: gestartet avviato
last: zuletzt letzte derniere dernier ultima ultimo ultimi
used: verwendet utilise usado usato utilizzato
use: verwendung nutzung utilisation uso
remaining: verbleibend restant restante rimanente rimanenti
paid: bezahlt
until: bis
expires: ablauf scadenza
fingerprint: fingerabdruck empreinte huella impronta
protocol: protokoll protocole protocolo protocollo
external: extern externer externe externo externa esterno esterna
internal: intern interner interne interno interna
source: quelle quell origen
target: ziel cible destino destinazione
resource: ressource ressourcen ressources recurso recursos risorsa risorse
type: typ tipo tipi
action: accion azione azioni
code: codigo codice
error: fehler erreur errore
error code: fehlercode
value: wert valeur valor valore
title: titel titre titulo titolo
message: nachricht nachrichten mensaje mensajes messaggio messaggi
scope: rechte berechtigung berechtigungen portee portees permiso permisos permesso permessi
read: gelesen leido letto letta
unread: ungelesen
all: alle alles tous toutes todas tutti tutte
count: anzahl cantidad
availability: verfuegbarkeit disponibilite disponibilidad disponibilita
available: verfuegbar disponible disponibile
maximum count: hoechstzahl
item: eintrag eintraege elemento elementos elementi
page: seite pagina
page size: seitengroesse
total: gesamt gesamtzahl totale
list: auflisten lister listar
create: erstellen anlegen creer crear crea
delete: loeschen entfernen supprimer eliminar borrar elimina
start: starten hochfahren einschalten demarrer iniciar encender avvia accendi
stop: arret stoppen anhalten herunterfahren ausschalten arreter detener apagar ferma arresta spegni
reboot: neustarten neustart redemarrer reiniciar riavvia
rebuild: neuaufsetzen reconstruire reconstruir ricostruisci
reinstall: neuinstallieren reinstaller reinstalar reinstalla
resize: skalieren redimensionner redimensionar ridimensiona
rename: umbenennen renommer renombrar rinomina
change: aendern modifier cambiar
restore: wiederherstellen restaurer restaurar ripristina
attach: anhaengen anbinden verbinden attacher rattacher conectar collega
detach: abhaengen trennen detacher desconectar scollega
cancel: kuendigen annuler cancelar annulla
resume: fortsetzen reprendre reanudar riprendi
being: wird
updated: geaendert aktualisiert
deleted: geloescht
creating: creando
active: aktiv actif activo activa attivo attiva
updating: actualizando modificando
modification: modificacion
deleting: borrando eliminando
faulty: fehlerhaft
failed: fehlgeschlagen echouee echoue echec fallido fallida fallito fallita
running: laeuft laufend
powered on: eingeschaltet allume encendido acceso
powered off: ausgeschaltet eteint apagado spento
stopped: gestoppt arrete detenido fermato
starting: startet demarrage encendiendo iniciando
stopping: stoppt apagando deteniendo
rebooting: redemarrage reiniciando
waiting: wartend attente attesa
pending: pendiente
progress: cours curso corso
successful: erfolgreich reussi reussie exitoso riuscito riuscita
ready: bereit pret listo pronto
port: porta
notice: avviso avvisi
profile: profilo
`;

/** Each word of another language with the English words that it means. */
export const foreignWords: readonly (readonly [string, readonly string[]])[] = words
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [meaning = '', others = ''] = line.split(': ');
    return others.split(' ').map((word) => [word, meaning.split(' ')] as const);
  });

const english = new Map(foreignWords);

/** English for a word of another language; undefined for any other word. */
export function toEnglishWords(word: string): readonly string[] | undefined {
  return english.get(word);
}
